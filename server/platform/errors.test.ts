import { expect, test } from 'vitest'
import { AppError, causesOf, waitInWords } from './errors.ts'

test.each([
  [1, '1 second'],
  [80, '80 seconds'],
  [160, '3 minutes'],
  [900, '15 minutes'],
  [5_400, '90 minutes'],
  [5_401, '2 hours'],
  [80_000, '23 hours'],
])('%d s is worded as "%s"', (seconds, words) => {
  expect(waitInWords(seconds)).toBe(words)
})

test('the causes of a failure are told with the ids of the provider, and without what a driver attaches', () => {
  const refused = Object.assign(new Error('No such price'), {
    code: 'resource_missing',
    statusCode: 404,
    requestId: 'req_1',
    headers: { authorization: 'secret' },
    client: { password: 'secret' },
  })
  const failure = new Error('The provider refused', { cause: refused })
  expect(causesOf(new AppError('PAYMENTS_UNREACHABLE', 'Try later', { cause: failure }))).toEqual([
    { name: 'Error', message: 'The provider refused' },
    {
      name: 'Error',
      message: 'No such price',
      code: 'resource_missing',
      statusCode: 404,
      requestId: 'req_1',
    },
  ])
  expect(causesOf(new Error('alone'))).toEqual([])
})

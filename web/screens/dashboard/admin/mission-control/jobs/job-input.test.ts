import { expect, test } from 'vitest'
import { parseJobJson } from './job-input.tsx'

test('payload and options are objects; empty text is an empty object', () => {
  expect(parseJobJson({ payload: '{"perPage": 48}', options: ' ' })).toEqual({
    payload: { perPage: 48 },
    options: {},
  })
})

test.each(['{', '[]', 'null', '12', '"text"', "{'perPage': 48}"])('%s is not a payload', (payload) => {
  expect(parseJobJson({ payload, options: '{}' })).toEqual({ payload: undefined, options: {} })
})

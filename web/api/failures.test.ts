import { expect, test } from 'vitest'
import { ApiError, errorSentence, fieldProblems, NetworkError } from './failures.ts'

const answered = (status: number, reply: object, headers: Record<string, string> = {}) =>
  new ApiError(new Response(null, { status, headers }), reply)

test('the server’s message takes precedence over the fallback', () => {
  const taken = answered(409, { error: 'That email is already registered', code: 'CONFLICT' })
  expect(errorSentence(taken, 'Registration failed')).toBe('That email is already registered')
})

test.each([
  ['no body', answered(502, {})],
  ['no response', new NetworkError('No answer from the server')],
  ['a bug of our own', new TypeError('x is not a function')],
])('an error with %s gets the fallback', (_, error) => {
  expect(errorSentence(error, 'Registration failed')).toBe('Registration failed')
})

test('the retry time and the request id are read from the headers', () => {
  const error = answered(429, { error: 'Wait' }, { 'retry-after': '30', 'x-request-id': 'req-1' })
  expect(error).toMatchObject({ status: 429, retryAfterSeconds: 30, requestId: 'req-1' })
  expect(answered(429, {}).retryAfterSeconds).toBeUndefined()
})

test('a field that the toast already explains is only marked', () => {
  const sentence = 'A password needs at least 8 characters'
  const fields = { password: sentence, name: 'Enter your name' }
  expect(fieldProblems(answered(422, { error: sentence, fields }))).toEqual({
    password: true,
    name: 'Enter your name',
  })
  expect(fieldProblems(new NetworkError('No answer'))).toEqual({})
})

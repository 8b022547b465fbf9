import { expect, test } from 'vitest'
import { ApiError, NetworkError } from '#web/api/failures.ts'
import { failureWords } from './run-feedback.tsx'

const refused = (status: number, error?: string) =>
  new ApiError(new Response(null, { status, headers: { 'retry-after': '12' } }), error ? { error } : {})

test.each([
  [refused(429), 'Rate limited. Try again after 12s.'],
  [refused(429, 'Too many streams'), 'Too many streams'],
  [refused(409, 'It has ended'), 'It has ended'],
  [refused(500), 'Failed to cancel job'],
  [new NetworkError('No answer from the server'), 'Failed to cancel job'],
])('%s reads %s', (error, words) => {
  expect(failureWords(error, 'Failed to cancel job')).toBe(words)
})

import { expect, test } from 'vitest'
import { ApiError, NetworkError } from '#web/api/failures.ts'
import { importSentence, needsOnboarding } from './import-failures.ts'

const answer = (status: number, code: string, error = 'The server says why') =>
  new ApiError(new Response(null, { status }), { code, error })

test.each([
  [answer(403, 'PRO_ONLY'), 'Access denied (Pro feature). Please upgrade to continue.'],
  [answer(422, 'QUOTA_REACHED'), 'The server says why'],
  [answer(409, 'ONBOARDING_REQUIRED'), 'Onboarding required. Redirecting…'],
  [answer(429, 'TOO_MANY'), 'Rate limit reached. Please try again later.'],
  [answer(503, 'BUSY'), 'System busy. Please retry shortly.'],
  [answer(503, 'STILL_RUNNING'), 'System busy. Please retry shortly.'],
  [answer(422, 'VALIDATION_FAILED'), 'The server says why'],
  [answer(500, '', ''), 'Validation failed'],
  [new NetworkError('No answer'), 'Validation failed'],
])('%o reads %j', (error, sentence) => {
  expect(importSentence(error, 'Validation failed')).toBe(sentence)
})

test('another conflict does not lead to onboarding', () => {
  expect(needsOnboarding(answer(409, 'ONBOARDING_REQUIRED'))).toBe(true)
  expect(needsOnboarding(answer(409, 'CONFLICT'))).toBe(false)
})

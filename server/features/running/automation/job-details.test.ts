import { expect, test } from 'vitest'
import { attemptOf } from './job-details.ts'

const job = { status: 'completed', attempts: 0, maxAttempts: 1, startedAt: new Date() } as const

test.each([
  [{}, 1],
  [{ status: 'running' }, 1],
  [{ status: 'failed', attempts: 1 }, 1],
  // Its worker was lost.
  [{ status: 'failed' }, 1],
  [{ status: 'queued', startedAt: null }, 0],
  [{ status: 'retrying', attempts: 1, maxAttempts: 3 }, 1],
  [{ status: 'running', attempts: 1, maxAttempts: 3 }, 2],
  [{ status: 'cancelled', startedAt: null }, 0],
] as const)('the attempt of %j is %i', (changes, attempt) =>
  expect(attemptOf({ ...job, ...changes })).toBe(attempt),
)

import { expect, test } from 'vitest'
import type { Job } from '#contract/admin/automation.ts'
import { durationOf, reasonOf } from './job-progress.ts'

const job = {
  status: 'completed',
  attempts: 0,
  maxAttempts: 1,
  startedAt: '2026-11-22T10:00:00.000Z',
  endedAt: '2026-11-22T10:00:00.400Z',
  error: null,
  progress: null,
  cancelRequested: false,
  retryOf: null,
} as Job
const now = new Date('2026-11-22T12:10:30.000Z')

test.each([
  [{}, undefined],
  [{ status: 'failed', error: 'no bread today\n  at oven' }, 'no bread today'],
  [{ status: 'waiting-manual' }, 'Waiting for an answer'],
  [{ status: 'running', cancelRequested: true }, 'Being canceled'],
  [{ status: 'running', progress: { done: 1, note: 'page 3' } }, 'page 3'],
  [{ retryOf: '019f0000-0000-7000-8000-0000000000ab' }, 'Retry of job 000000ab'],
] as const)('the reason of %j is %s', (changes, reason) =>
  expect(reasonOf({ ...job, ...changes })).toBe(reason),
)

test.each([
  [{ startedAt: null }, undefined],
  [{}, '0.4 s'],
  [{ endedAt: '2026-11-22T10:00:12.900Z' }, '12 s'],
  [{ endedAt: '2026-11-22T10:03:05.000Z' }, '3 min 5 s'],
  [{ status: 'running', endedAt: null }, '2 h 10 min'],
] as const)('the duration of %j is %s', (changes, duration) =>
  expect(durationOf({ ...job, ...changes }, now)).toBe(duration),
)

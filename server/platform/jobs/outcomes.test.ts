import { expect, test } from 'vitest'
import { FenceLost, GiveUp } from './job-definition.ts'
import { decideLost, decideOutcome, RunAborted, type RunFacts } from './outcomes.ts'

const job: RunFacts = {
  end: { error: new Error('no bread today') },
  aborted: undefined,
  duringOutage: false,
  resumable: false,
  attempts: 0,
  maxAttempts: 1,
  retryDelaySeconds: 10,
}
const resumable = { resumable: true }
const thrice = { maxAttempts: 3 }
const finished = { end: { result: { rows: 7 } } }
const aborted = (why: RunAborted['why']) => ({ aborted: new RunAborted(why, `because ${why}`) })

const failed = (error: string) => ({ to: 'failed', error, counts: 'attempt' })
const retrying = (afterSeconds: number) => ({
  to: 'retrying',
  error: 'no bread today',
  counts: 'attempt',
  afterSeconds,
})

test.each<[string, Partial<RunFacts>, unknown]>([
  ['a result', finished, { to: 'completed', result: { rows: 7 } }],
  [
    'a result after a cancel',
    { ...finished, ...aborted('cancelled') },
    { to: 'completed', result: { rows: 7 } },
  ],
  [
    'a result while the worker stops',
    { ...finished, ...aborted('stopping') },
    { to: 'completed', result: { rows: 7 } },
  ],
  ['a result of a run that was taken over', { ...finished, ...aborted('taken-over') }, undefined],
  ['an error of a run that was taken over', aborted('taken-over'), undefined],
  ['a write refused by the fence', { end: { error: new FenceLost('x') }, ...thrice }, undefined],
  ['the only attempt', {}, failed('no bread today')],
  ['the first of three attempts', thrice, retrying(10)],
  ['the second of three attempts', { ...thrice, attempts: 1 }, retrying(20)],
  ['the last of three attempts', { ...thrice, attempts: 2 }, failed('no bread today')],
  ['a late attempt of many waits an hour at most', { maxAttempts: 25, attempts: 20 }, retrying(3_600)],
  ['giving up early', { ...thrice, end: { error: new GiveUp('gone for good') } }, failed('gone for good')],
  ['a cancel', { ...aborted('cancelled'), ...thrice }, { to: 'cancelled' }],
  [
    'a run parked without a worker while it waits for a person',
    { ...aborted('parked'), ...thrice },
    { to: 'waiting-manual' },
  ],
  [
    'a result from a run that was already parked',
    { ...finished, ...aborted('parked') },
    { to: 'completed', result: { rows: 7 } },
  ],
  ['a run that takes too long', aborted('timeout'), failed('because timeout')],
  [
    'a statement canceled by the database',
    {
      end: {
        error: Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
      },
    },
    failed('A statement of the database took too long.'),
  ],
  ['a thrown value that is not an error', { end: { error: 'oops' } }, failed('oops')],
  [
    'an outage of a job that can resume',
    { ...resumable, duringOutage: true },
    { to: 'queued', reason: 'the database was away', counts: 'nothing' },
  ],
  ['an outage of a job that cannot be repeated', { duringOutage: true }, failed('no bread today')],
  [
    'a full disk under a job that can resume',
    { ...resumable, end: { error: Object.assign(new Error('full'), { code: 'ENOSPC' }) } },
    { to: 'retrying', error: 'full', counts: 'nothing', afterSeconds: 30 },
  ],
  [
    'a worker stop of a job that can resume',
    { ...resumable, ...aborted('stopping') },
    { to: 'queued', reason: 'worker stopped', counts: 'nothing' },
  ],
  [
    'a worker stop of a job that cannot be repeated',
    { ...aborted('stopping'), ...thrice },
    { to: 'failed', error: 'worker lost: worker stopped before the job ended', counts: 'lost' },
  ],
])('%s', (_what, facts, outcome) => {
  expect(decideOutcome({ ...job, ...facts })).toEqual(outcome)
})

test.each([
  [
    'can resume',
    { resumable: true, lostDeliveries: 4 },
    { to: 'queued', reason: 'worker lost', counts: 'lost' },
  ],
  [
    'was lost five times',
    { resumable: true, lostDeliveries: 5 },
    { to: 'failed', error: 'worker lost', counts: 'lost' },
  ],
  [
    'cannot be repeated',
    { resumable: false, lostDeliveries: 0 },
    { to: 'failed', error: 'worker lost', counts: 'lost' },
  ],
  ['was to be canceled', { cancelRequested: true }, { to: 'cancelled' }],
])('a lost job that %s', (_what, facts, outcome) => {
  expect(decideLost({ cancelRequested: false, resumable: true, lostDeliveries: 0, ...facts })).toEqual(
    outcome,
  )
})

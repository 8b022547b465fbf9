import { expect, test } from 'vitest'
import type { ScriptDefinition } from '#contract/admin/scripts.ts'
import { type ConsoleFacts, startProblem, statusLine } from './use-console.ts'

const idle: ConsoleFacts = { step: 'none', phase: 'idle', jobStatus: undefined }
const ended = { phase: 'ended' } as const

test.each<[Partial<ConsoleFacts>, string]>([
  [{}, 'Stream inactive'],
  [{ step: 'enqueueing' }, 'Enqueueing job…'],
  [{ phase: 'connecting' }, 'Connecting…'],
  [{ phase: 'streaming' }, 'Streaming…'],
  [{ phase: 'polling' }, 'Polling for logs…'],
  [{ ...ended, jobStatus: 'completed' }, 'Job completed'],
  [{ ...ended, jobStatus: 'failed' }, 'Job failed'],
  [{ step: 'not-enqueued' }, 'Failed to enqueue job'],
  [{ step: 'cancel-requested', phase: 'streaming' }, 'Cancel requested'],
  [{ ...ended, step: 'cancel-requested', jobStatus: 'cancelled' }, 'Stream stopped'],
  [{ ...ended, step: 'cancel-requested', jobStatus: 'completed' }, 'Job completed'],
  [{ ...ended, jobStatus: 'cancelled' }, 'Stream ended'],
  [ended, 'Stream ended'],
  [{ step: 'cleared', phase: 'streaming' }, 'Console cleared'],
  [{ phase: 'not-opened' }, 'Failed to open stream'],
])('%o: %s', (facts, text) => {
  expect(statusLine({ ...idle, ...facts }).text).toBe(text)
})

const script: ScriptDefinition = {
  name: 'h1-optimizer',
  scriptId: 'h1-optimizer',
  queue: 'h1Optimizer',
  source: 'staging',
  summary: '',
  instructions: [],
  flags: {},
}
const file = { root: 'ecomm', path: '/yard/2026-11-21/ecomm-1.json' } as const

test('a queue that the server does not have blocks the script', () => {
  expect(startProblem(script, ['preprocess', 'mail'], file)).toBe(
    "Queue 'h1Optimizer' not available on server. Known queues: preprocess, mail",
  )
})

test('queues that are not loaded yet block nothing', () => {
  expect(startProblem(script, undefined, file)).toBeUndefined()
})

test('a script that reads a staged file needs one', () => {
  const needed = 'Select or load a staging file path first'
  expect(startProblem(script, ['h1Optimizer'], undefined)).toBe(needed)
  expect(startProblem(script, ['h1Optimizer'], { root: 'ecomm', path: '' })).toBe(needed)
  expect(startProblem(script, ['h1Optimizer'], file)).toBeUndefined()
  expect(startProblem({ ...script, source: 'either' }, ['h1Optimizer'], undefined)).toBeUndefined()
})

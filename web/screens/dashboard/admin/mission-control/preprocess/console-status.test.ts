import { expect, test } from 'vitest'
import { type ConsoleFacts, statusLine } from './console-status.ts'

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

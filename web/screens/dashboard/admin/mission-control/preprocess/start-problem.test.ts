import { expect, test } from 'vitest'
import type { ScriptDefinition } from '#contract/scripts.ts'
import { startProblem } from './start-problem.ts'

const script: ScriptDefinition = {
  name: 'h1-optimizer',
  scriptId: 'h1-optimizer',
  queue: 'h1Optimizer',
  source: 'staging',
  summary: '',
  instructions: [],
  resumable: false,
  flags: {},
}
const file = { root: 'ecomm', path: '/yard/2026-11-21/ecomm-1.json' } as const

test('a queue that the server does not have', () => {
  expect(startProblem(script, ['preprocess', 'mail'], file)).toBe(
    "Queue 'h1Optimizer' not available on server. Known queues: preprocess, mail",
  )
})

test('queues that nobody knows yet hold up nothing', () => {
  expect(startProblem(script, undefined, file)).toBeUndefined()
})

test('a script that reads a staged file needs one', () => {
  const needed = 'Select or load a staging file path first'
  expect(startProblem(script, ['h1Optimizer'], undefined)).toBe(needed)
  expect(startProblem(script, ['h1Optimizer'], { root: 'ecomm', path: '' })).toBe(needed)
  expect(startProblem(script, ['h1Optimizer'], file)).toBeUndefined()
  expect(startProblem({ ...script, source: 'either' }, ['h1Optimizer'], undefined)).toBeUndefined()
})

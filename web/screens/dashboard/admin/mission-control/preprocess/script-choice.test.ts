import { expect, test } from 'vitest'
import { flagArguments, type ScriptDefinition } from '#contract/admin/scripts.ts'
import { checkFlags, choiceOf, choiceOfJob } from './script-choice.ts'

const script: ScriptDefinition = {
  name: 'naming',
  scriptId: 'naming',
  queue: 'naming',
  source: 'live',
  summary: '',
  instructions: [],
  flags: {
    test: { kind: 'boolean', label: 'Test' },
    dryRun: { kind: 'boolean', label: 'Dry run' },
    batchMode: { kind: 'boolean', label: 'Batch mode' },
    concurrent: { kind: 'number', label: 'Concurrent', least: 1 },
    target: { kind: 'select', label: 'Target', options: ['all', 'category'] },
    category: { kind: 'text', label: 'Category' },
  },
}

test('a chosen script starts with only test and dryRun on', () => {
  expect(choiceOf(script).texts).toEqual({
    test: true,
    dryRun: true,
    batchMode: false,
    concurrent: '',
    target: '',
    category: '',
  })
})

test('empty fields are not sent', () => {
  expect(checkFlags(choiceOf(script))).toEqual({ flags: { test: true, dryRun: true, batchMode: false } })
})

test('numbers are sent as numbers', () => {
  const texts = { ...choiceOf(script).texts, concurrent: '4', target: 'category', category: ' Alternator ' }
  expect(checkFlags({ script, texts })).toMatchObject({
    flags: { concurrent: 4, target: 'category', category: 'Alternator' },
  })
  expect(flagArguments(texts)).toEqual([
    '--test',
    '--dry-run',
    '--concurrent=4',
    '--target=category',
    '--category= Alternator ',
  ])
})

test.each([
  ['0', 'Concurrent must be at least 1'],
  ['1.5', 'Concurrent must be a whole number'],
  ['many', 'Concurrent must be a whole number'],
])('a concurrency of %s: %s', (concurrent, sentence) => {
  expect(checkFlags({ script, texts: { ...choiceOf(script).texts, concurrent } })).toEqual({
    problems: { concurrent: sentence },
  })
})

test('a job shows the flags it was started with', () => {
  const choice = choiceOfJob({ scriptId: 'self-check', flags: { ask: true, lines: 40 } })
  expect(choice?.script.scriptId).toBe('self-check')
  expect(choice?.texts).toMatchObject({ test: false, dryRun: false, ask: true, lines: '40', seconds: '' })
  expect(choiceOfJob({ scriptId: 'of-last-year' })).toBeUndefined()
  expect(choiceOfJob({ dataset: 'marketplace:ecomm_autoparts' })).toBeUndefined()
})

import { expect, test } from 'vitest'
import type { ScriptDefinition } from '#contract/admin/scripts.ts'
import { readScriptWords, scriptWords } from './script-messages.ts'

const script: ScriptDefinition = {
  name: 'sample',
  scriptId: 'sample',
  queue: 'preprocess',
  source: 'either',
  summary: '',
  instructions: [],
  flags: {
    dryRun: { kind: 'boolean', label: 'Dry run' },
    forceReoptimize: { kind: 'boolean', label: 'Force' },
    limit: { kind: 'number', label: 'Limit', least: 1 },
    model: { kind: 'select', label: 'Model', options: ['gpt-4o', 'gpt-3.5-turbo'] },
    category: { kind: 'text', label: 'Category' },
  },
}
const off = { dryRun: false, forceReoptimize: false }

test.each<[what: string, flags: Record<string, string | number | boolean>, words: string[], read: object]>([
  ['no flags', {}, [], off],
  ['switches', { dryRun: true, forceReoptimize: false }, ['--dry-run'], { ...off, dryRun: true }],
  ['a number', { limit: 5 }, ['--limit=5'], { ...off, limit: 5 }],
  ['a choice', { model: 'gpt-4o' }, ['--model=gpt-4o'], { ...off, model: 'gpt-4o' }],
  ['text', { category: 'Brake pads' }, ['--category=Brake pads'], { ...off, category: 'Brake pads' }],
  [
    'text that looks like a flag',
    { category: '--dry-run' },
    ['--category=--dry-run'],
    { ...off, category: '--dry-run' },
  ],
  ['the dataset tag is not an argument', { datasetTag: 'spring' }, [], off],
])('%s', (_what, flags, words, read) => {
  expect(scriptWords({ flags, source: undefined })).toEqual(words)
  expect(readScriptWords(script, words)).toEqual({ flags: read, source: undefined })
})

test('a source file', () => {
  const source = { root: 'ecomm', path: '/a yard/2026-01-02/=stock.json' } as const
  const words = scriptWords({ flags: { limit: 2 }, source })
  expect(words).toEqual(['--limit=2', '--source-root=ecomm', '--source-path=/a yard/2026-01-02/=stock.json'])
  expect(readScriptWords(script, words)).toEqual({ flags: { ...off, limit: 2 }, source })
})

test.each([
  ['--unknown=1'],
  ['stray'],
  ['--limit=none'],
  ['--limit=0'],
  ['--model=other'],
  ['--dry-run=yes'],
  ['--source-root=etc'],
])('%s is refused', (word) => {
  expect(() => readScriptWords(script, [word])).toThrow()
})

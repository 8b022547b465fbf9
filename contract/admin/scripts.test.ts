import { expect, test } from 'vitest'
import {
  findScript,
  flagArguments,
  flagsSchema,
  optionOf,
  type ScriptDefinition,
  scripts,
} from './scripts.ts'

const script: ScriptDefinition = {
  name: 'sample',
  scriptId: 'sample',
  queue: 'preprocess',
  source: 'live',
  summary: '',
  instructions: [],
  flags: {
    test: { kind: 'boolean', label: 'Test' },
    start: { kind: 'number', label: 'Start', least: 0 },
    end: { kind: 'number', label: 'End', least: 0 },
    limit: { kind: 'number', label: 'Limit', least: 1, most: 5_000 },
    target: { kind: 'select', label: 'Target', options: ['all', 'category'] },
    category: { kind: 'text', label: 'Category' },
  },
}

test.each<[what: string, sent: unknown, flags: object]>([
  ['nothing', {}, {}],
  [
    'every kind of flag',
    { test: true, start: 3, target: 'all', category: 'Doors' },
    { test: true, start: 3, target: 'all', category: 'Doors' },
  ],
  ['false is kept', { test: false }, { test: false }],
  ['empty and null count as absent', { test: null, start: '', target: '', category: '  ', limit: null }, {}],
  ['digits become a number', { start: '0', end: ' 12 ' }, { start: 0, end: 12 }],
  ['text is trimmed', { category: '  Doors ' }, { category: 'Doors' }],
  [
    'text that a shell would interpret',
    { category: '; rm -rf / --evil\n$(x)' },
    { category: '; rm -rf / --evil\n$(x)' },
  ],
  ['the dataset tag is passed through', { datasetTag: 'spring' }, { datasetTag: 'spring' }],
])('%s', (_what, sent, flags) => {
  expect(flagsSchema(script).parse(sent)).toEqual(flags)
})

test.each<[sent: unknown, field: string, sentence: string]>([
  [{ test: 'true' }, 'test', 'Test must be true or false'],
  [{ test: 1 }, 'test', 'Test must be true or false'],
  [{ limit: 0 }, 'limit', 'Limit must be at least 1'],
  [{ limit: 5_001 }, 'limit', 'Limit can be at most 5,000'],
  [{ start: -1 }, 'start', 'Start must be at least 0'],
  [{ start: 1e12 }, 'start', 'Start can be at most 1,000,000,000'],
  [{ limit: 1.5 }, 'limit', 'Limit must be a whole number'],
  [{ limit: '1e3' }, 'limit', 'Limit must be a whole number'],
  [{ limit: '0x10' }, 'limit', 'Limit must be a whole number'],
  [{ limit: true }, 'limit', 'Limit must be a whole number'],
  [{ limit: [5] }, 'limit', 'Limit must be a whole number'],
  [{ limit: 'many' }, 'limit', 'Limit must be a whole number'],
  [{ start: 5, end: 5 }, 'end', 'End must be greater than Start'],
  [{ end: 0 }, 'end', 'End must be greater than Start'],
  [{ target: 'model' }, 'target', 'Target must be one of: all, category'],
  [{ category: 7 }, 'category', 'Category must be text'],
  [{ category: 'x'.repeat(201) }, 'category', 'Category can have at most 200 characters'],
  [{ category: 'a\0b' }, 'category', 'Category contains unreadable characters'],
  [{ category: 'a\ud800' }, 'category', 'Category contains unreadable characters'],
  [{ colour: 1 }, '', 'sample has no flag colour; it has test, start, end, limit, target, category'],
  [
    JSON.parse('{"__proto__":{"test":true}}'),
    '',
    'sample has no flag __proto__; it has test, start, end, limit, target, category',
  ],
  [
    { constructor: 1 },
    '',
    'sample has no flag constructor; it has test, start, end, limit, target, category',
  ],
])('refused: %o', (sent, field, sentence) => {
  const { error } = flagsSchema(script).safeParse(sent)
  expect(error?.issues.map(({ path, message }) => [path.join('.'), message])).toEqual([[field, sentence]])
})

test.each<[flags: Record<string, unknown>, args: string[]]>([
  [{ test: true, dryRun: false }, ['--test']],
  [{ forceReoptimize: true, batchMode: true }, ['--force-reoptimize', '--batch-mode']],
  [{ limit: 5, start: 0 }, ['--limit=5', '--start=0']],
  [{ a: '', b: null, c: undefined }, []],
  [{ type: ['category', 'model', ''] }, ['--type=category', '--type=model']],
  [{ category: '--evil' }, ['--category=--evil']],
  [{ datasetTag: 'x', test: true }, ['--test']],
])('arguments of %o', (flags, args) => {
  expect(flagArguments(flags)).toEqual(args)
})

test('script ids are unique, and so are the arguments of each script', () => {
  expect(new Set(scripts.map(({ scriptId }) => scriptId)).size).toBe(scripts.length)
  for (const { scriptId, flags } of scripts) {
    expect(findScript(scriptId)?.scriptId).toBe(scriptId)
    const options = Object.keys(flags).map(optionOf)
    expect(new Set([...options, '--source-root', '--source-path', '--supervised']).size).toBe(
      options.length + 3,
    )
  }
})

test('the picker lists the spec’s scripts in its order, then the self-check scripts', () => {
  expect(scripts.map(({ name }) => name)).toEqual([
    'product-page-category',
    'name-manu-model-opt',
    'h1-optimizer',
    'description-optimizer',
    'internal-linking',
    'self-check',
  ])
})

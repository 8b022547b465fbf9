import { describe, expect, test } from 'vitest'
import { scripts } from '#contract/admin/scripts.ts'
import { namingOptimizerQueue, preprocessQueue } from './automation-queues.ts'

const KNOWN = scripts
  .filter(({ queue }) => queue === 'preprocess')
  .map(({ scriptId }) => scriptId)
  .join(', ')
const read = (sent: unknown) => preprocessQueue.payload.parse(sent)
const problems = (sent: unknown, queue = preprocessQueue) =>
  queue.payload.safeParse(sent).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`)

describe('the payload of a script’s job', () => {
  test('arguments come from the flags and ignore any that are sent', () => {
    const sent = {
      scriptId: 'self-check',
      flags: { dryRun: true, lines: '5', test: null },
      args: ['--evil', '; rm'],
    }
    expect(read(sent)).toEqual({
      scriptId: 'self-check',
      flags: { dryRun: true, lines: 5 },
      args: ['--dry-run', '--lines=5'],
      stagingRoot: null,
      source: null,
    })
  })

  test('a stored payload parses to itself, since it is parsed again when the job runs', () => {
    const once = read({
      scriptId: 'self-check',
      flags: { lines: 5, datasetTag: 'spring' },
      stagingRoot: 'ecomm',
    })
    expect(read(JSON.parse(JSON.stringify(once)))).toEqual(once)
  })

  test('a live-data script gets no file', () => {
    const source = { root: 'ecomm', path: '/../etc/passwd' }
    expect(read({ scriptId: 'self-check', source }).source).toBeNull()
  })

  test.each<[what: string, sent: unknown, sentence: string]>([
    ['no script', {}, 'scriptId: Choose a script'],
    [
      'an unknown script',
      { scriptId: 'rm' },
      `scriptId: There is no script "rm" in the queue preprocess; it has ${KNOWN}`,
    ],
    [
      'a path as a script',
      { scriptId: '../../evil' },
      `scriptId: There is no script "../../evil" in the queue preprocess; it has ${KNOWN}`,
    ],
    [
      'a property that every object has',
      { scriptId: '__proto__' },
      `scriptId: There is no script "__proto__" in the queue preprocess; it has ${KNOWN}`,
    ],
    [
      'an invalid flag',
      { scriptId: 'self-check', flags: { lines: 'many' } },
      'flags.lines: Lines must be a whole number',
    ],
    [
      'an unknown flag',
      { scriptId: 'self-check', flags: { rows: 1 } },
      'flags: self-check has no flag rows; it has test, dryRun, ask, fail, lines, seconds',
    ],
  ])('%s is refused', (_what, sent, sentence) => {
    expect(problems(sent)).toEqual([sentence])
  })

  test('a script is refused in another queue', () => {
    expect(problems({ scriptId: 'self-check' }, namingOptimizerQueue)).toEqual([
      'scriptId: self-check belongs in the queue preprocess, not in namingOptimizer',
    ])
  })
})

test('runs of a script on live data share a key; each file has its own key', () => {
  const job = { scriptId: 'h1-optimizer', flags: {}, args: [], stagingRoot: null }
  expect(preprocessQueue.keyOf?.({ ...job, source: null })).toBe('script:h1-optimizer')
  expect(preprocessQueue.keyOf?.({ ...job, source: { root: 'ecomm', path: '/a.json' } })).toBe(
    'script:h1-optimizer:ecomm:/a.json',
  )
})

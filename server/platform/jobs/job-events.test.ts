import { expect, test } from 'vitest'
import { LogAllowance } from './job-events.ts'

/** The stored lines, during the run and at its end. */
function storedOf(
  lines: readonly string[],
  allowance: Partial<ConstructorParameters<typeof LogAllowance>[0]>,
) {
  const log = new LogAllowance({
    lines: 1_000,
    bytes: 1_000_000,
    tailLines: 2,
    tailBytes: 1_000,
    ...allowance,
  })
  const texts = (events: readonly { message: string }[]) => events.map(({ message }) => message)
  const during = lines.flatMap((message) => texts(log.take({ kind: 'log', stream: 'stdout', message })))
  return { during, atTheEnd: texts(log.takeRest()) }
}

const FULL = (lines: string) =>
  `This log is full after ${lines} lines. Further lines are counted, and only the last ones are kept.`
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `line ${n + 1}`)

test.each<[string, string[], object, { during: string[]; atTheEnd: string[] }]>([
  ['everything that fits', numbered(3), { lines: 3 }, { during: numbered(3), atTheEnd: [] }],
  [
    'the first lines, a note, and the last lines',
    numbered(7),
    { lines: 3 },
    { during: [...numbered(3), FULL('3')], atTheEnd: ['… 2 lines were omitted', 'line 6', 'line 7'] },
  ],
  [
    'one omitted line is counted as one',
    numbered(6),
    { lines: 3 },
    { during: [...numbered(3), FULL('3')], atTheEnd: ['… 1 line was omitted', 'line 5', 'line 6'] },
  ],
  [
    'nothing is omitted if only the last lines are left',
    numbered(4),
    { lines: 3 },
    { during: [...numbered(3), FULL('3')], atTheEnd: ['line 4'] },
  ],
  [
    'long lines count by bytes, and nothing follows the first that does not fit',
    ['ä'.repeat(6), 'ä'.repeat(6), 'a'],
    { bytes: 20 },
    { during: ['ä'.repeat(6), FULL('1')], atTheEnd: ['ä'.repeat(6), 'a'] },
  ],
  [
    'the last lines are limited in bytes, too',
    ['a', 'b'.repeat(6), 'c'.repeat(6)],
    { lines: 1, tailBytes: 10 },
    { during: ['a', FULL('1')], atTheEnd: ['… 1 line was omitted', 'c'.repeat(6)] },
  ],
  ['nothing from an empty log', [], {}, { during: [], atTheEnd: [] }],
])('a log stores %s', (_what, lines, allowance, stored) => {
  expect(storedOf(lines, allowance)).toEqual(stored)
})

test('lines from the engine itself are marked', () => {
  const log = new LogAllowance({ lines: 0, bytes: 10, tailLines: 0, tailBytes: 0 })
  const line = { kind: 'log' as const, stream: 'stdout', message: 'hello' }
  expect([...log.take(line), ...log.takeRest()].map(({ stream }) => stream)).toEqual(['system', 'system'])
})

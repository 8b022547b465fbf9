import { expect, test } from 'vitest'
import { LineFieldReader, SplicedText } from './line-fields.ts'
import { fromSegmentLine, type StagedRecord, toSegmentLine } from './staged-record.ts'

const NAMES = ['make', 'model', 'year']
type Fields = StagedRecord['fields']

const textOf = (...records: StagedRecord[]) =>
  Buffer.from(records.map((record) => `${toSegmentLine(record).line}\n`).join(''))
const recordOf = (fields: Fields, original: readonly string[] = [], id = '0.1'): StagedRecord => ({
  id,
  fields,
  original,
})

const unusual: [what: string, fields: Fields, original?: string[], id?: string][] = [
  ['texts', { make: 'Ford', model: 'Focus', year: '2010' }],
  ['numbers and null', { make: 'Ford', model: null, year: 2010 }],
  ['a number at the end', { year: -1.5e21, make: '' }],
  ['true and false', { make: true, model: false }],
  ['absent fields', { name: 'Alternator' }],
  ['no fields', {}],
  ['a text that ends like a record', { make: 'a},[', year: '}' }],
  ['names in other texts', { note: '"make":"Mazda"', make: 'Ford' }, ['"make":"Opel"', 'make', ':']],
  ['letters of other scripts', { make: 'Škoda', model: 'Лада 🚗' }],
  [
    'lists and objects',
    { fits: [{ make: 'Mazda' }, []], make: 'Ford', car: { make: 'Opel', a: {} }, year: 1 },
  ],
  ['a wanted field that is a list', { make: ['Ford', { name: 'a]}' }], model: 'Focus' }],
  ['quotes and backslashes', { make: 'The "Ford"', model: 'C\\', note: '\\"' }],
  [
    'names that look like wanted fields',
    { 'old "make': 'Mazda', makes: 'Opel', make: 'Ford', xmake: 'Fiat' },
  ],
  ['line breaks in texts', { note: 'a\nb', make: 'Ford\n' }, ['a\nb']],
  ['an id with a quote', { make: 'Ford' }, [], 'a","{'],
]

/** All wanted fields of a line, requested in a different order than they appear. */
function read(reader: LineFieldReader, text: Buffer, from: number): Record<string, unknown> {
  reader.begin(text, from)
  return Object.fromEntries(
    ['year', 'make', 'model'].flatMap((name) => {
      const value = reader.value(name)
      return value === undefined ? [] : [[name, value]]
    }),
  )
}

test.each(unusual)('%s are read exactly, one line after the other', (_what, fields, original, id) => {
  const reader = new LineFieldReader(NAMES)
  const text = textOf(recordOf({ make: 'before' }), recordOf(fields, original, id), recordOf({ year: 1 }))
  expect(read(reader, text, 0)).toEqual({ make: 'before' })
  const wanted = Object.fromEntries(Object.entries(fields).filter(([name]) => NAMES.includes(name)))
  expect(read(reader, text, reader.endOfLine)).toEqual(wanted)
  expect(read(reader, text, reader.endOfLine)).toEqual({ year: 1 })
  expect(reader.endOfLine).toBe(text.length)
})

test.each(unusual)(
  '%s are replaced as if the record had been written again',
  (_what, fields, original, id) => {
    const reader = new LineFieldReader(NAMES)
    const [before, after] = [recordOf({ model: 'before' }), recordOf({})]
    const record = recordOf(fields, original, id)
    const text = textOf(before, record, after)
    const changes = { model: 'Größe "S"', make: 'Mazda' }
    const target = new SplicedText()
    target.begin(text)
    read(reader, text, 0)
    read(reader, text, reader.endOfLine)
    reader.replace(changes, target)
    const changed = target.end()
    expect(changed?.toString()).toBe(
      textOf(before, { ...record, fields: { ...fields, ...changes } }, after).toString(),
    )
    expect(target.longer).toBe((changed?.length ?? 0) - text.length)
    expect(fromSegmentLine(changed?.toString().split('\n')[1] ?? '').fields).toMatchObject(changes)
  },
)

test('a line is read only as far as requested, and still replaced correctly', () => {
  const reader = new LineFieldReader(NAMES)
  const record = recordOf({ make: 'Ford', note: 'a', model: 'Focus', year: '' }, ['Ford'])
  const text = textOf(record, recordOf({}))
  const target = new SplicedText()
  target.begin(text)
  reader.begin(text, 0)
  expect([reader.value('make'), reader.value('make'), reader.value('note')]).toEqual([
    'Ford',
    'Ford',
    undefined,
  ])
  const changes = { year: '2010', make: 'Mazda' }
  reader.replace(changes, target)
  expect(reader.endOfLine).toBe(textOf(record).length)
  expect(target.end()?.toString()).toBe(
    textOf({ ...record, fields: { ...record.fields, ...changes } }, recordOf({})).toString(),
  )
})

test('a line that ends too early is an error, not an endless read', () => {
  const reader = new LineFieldReader(NAMES)
  for (const broken of ['["1', '["1",{"make', '["1",{"make":"Fo', '["1",{"make":[1,']) {
    expect(() => read(reader, Buffer.from(broken), 0)).toThrow('ends within')
  }
})

function splice(target: SplicedText, text: string, pieces: [from: number, to: number, piece: string][]) {
  target.begin(Buffer.from(text))
  for (const [from, to, piece] of pieces) target.replace(from, to, piece)
  return target.end()?.toString()
}

test.each<[text: string, pieces: [number, number, string][], whole: string | undefined]>([
  ['abcdef', [], undefined],
  ['abcdef', [[0, 1, 'X']], 'Xbcdef'],
  ['abcdef', [[0, 0, 'X']], 'Xabcdef'],
  ['abcdef', [[6, 6, 'X']], 'abcdefX'],
  [
    'abcdef',
    [
      [1, 2, ''],
      [2, 2, 'ööö'],
      [4, 6, '🚗'],
    ],
    'aööö' + 'cd' + '🚗',
  ],
])('%s with %j becomes %s', (text, pieces, whole) => {
  expect(splice(new SplicedText(), text, pieces)).toBe(whole)
})

test('consecutive texts of any length are spliced in the same memory', () => {
  const target = new SplicedText()
  for (const length of [10, 10_000, 3, 200_000]) {
    const text = 'a'.repeat(length)
    expect(splice(target, text, [[1, 2, 'b'.repeat(length)]])).toBe(
      `a${'b'.repeat(length)}${'a'.repeat(length - 2)}`,
    )
    expect(target.longer).toBe(length - 1)
    expect(splice(target, text, [])).toBeUndefined()
  }
})

import { expect, test } from 'vitest'
import { LineFieldReader, withLineFields } from './line-fields.ts'
import { type StagedRecord, toSegmentLine } from './staged-record.ts'

const NAMES = ['make', 'model', 'year']
type Fields = StagedRecord['fields']

const lineOf = (fields: Fields, original: readonly string[] = []) =>
  toSegmentLine({ id: '0.1', fields, original }).line

const read = (line: string) => new LineFieldReader(NAMES).read(line)

test.each<[what: string, fields: Fields, original?: string[]]>([
  ['texts', { make: 'Ford', model: 'Focus', year: '2010' }],
  ['numbers and nothing', { make: 'Ford', model: null, year: 2010 }],
  ['a number at the end', { year: -1.5e21, make: '' }],
  ['true and false', { make: true, model: false }],
  ['absent fields', { name: 'Alternator' }],
  ['no field at all', {}],
  ['a text that ends as a record does', { make: 'a},[', year: '}' }],
  ['names in other texts', { note: '"make":"Mazda"', make: 'Ford' }, ['"make":"Opel"', 'make', ':']],
  ['letters of other scripts', { make: 'Škoda', model: 'Лада 🚗' }],
])('%s are read as they stand', (_what, fields, original) => {
  const wanted = Object.fromEntries(Object.entries(fields).filter(([name]) => NAMES.includes(name)))
  expect(read(lineOf(fields, original))).toEqual(wanted)
})

test.each<[what: string, fields: Fields]>([
  ['a list of objects', { fits: [{ make: 'Mazda' }], make: 'Ford' }],
  ['an object', { car: { make: 'Mazda' } }],
  ['a quote in the value', { make: 'The "Ford"' }],
  ['a name that ends like one of them', { 'old "make': 'Mazda', make: 'Ford' }],
  ['a backslash', { model: 'C\\10' }],
])('%s is left to whoever reads the record', (_what, fields) => {
  expect(read(lineOf(fields))).toBeUndefined()
})

test('values are put where the old ones stood', () => {
  const fields = { model: 'Focus', year: 2010, note: 'Works.', make: 'FORD' }
  const [line, original] = [lineOf(fields, ['FORD', 'Focus']), ['FORD', 'Focus']]
  const changes = { make: 'Ford "Co"', model: 'Focus SE' }
  expect(withLineFields(line, changes)).toBe(lineOf({ ...fields, ...changes }, original))
  expect(withLineFields(line, { make: 'Ford', trim: 'SE' })).toBeUndefined()
})

test('the reader forgets texts rather than keeping all of a file', () => {
  const reader = new LineFieldReader(['make'])
  const found = Array.from({ length: 50_000 }, (_, n) => reader.read(lineOf({ make: `Make ${n}` }))?.make)
  expect(found.every((make, n) => make === `Make ${n}`)).toBe(true)
})

import { expect, test } from 'vitest'
import { fieldsOfLine, idOfLine, type StagedRecord, toSegmentLine } from './staged-record.ts'

const records: [what: string, fields: StagedRecord['fields'], original: string[]][] = [
  ['texts', { make: 'Ford', year: 2010, note: null }, ['Ford', '2010', '']],
  ['no fields', {}, []],
  ['a text that ends like the fields', { note: 'a},[', make: 'Ford' }, ['},[']],
  [
    'lists and objects that end like the fields',
    { fits: [{ make: 'Opel' }, [], { a: {} }], make: 'Ford' },
    [],
  ],
  ['cells that start like the fields', { make: 'Ford' }, ['",{', '"},["', '["0.1",{"make":"Opel"},[']],
  ['quotes and backslashes', { make: 'The "Ford"', note: '\\},[\\' }, ['\\"']],
]

test.each(records)('only the fields of a line: %s', (_what, fields, original) => {
  const { line } = toSegmentLine({ id: '0.17', fields, original })
  expect(fieldsOfLine(line)).toEqual(fields)
  expect(idOfLine(line)).toBe('0.17')
})

test('a truncated line throws', () => {
  const { line } = toSegmentLine({ id: '1', fields: { make: 'Ford' }, original: [] })
  expect(() => fieldsOfLine(line.slice(0, -4))).toThrow(SyntaxError)
})

import { expect, test } from 'vitest'
import { fieldsOfLine, idOfLine, type StagedRecord, toSegmentLine } from './staged-record.ts'

const records: [what: string, fields: StagedRecord['fields'], original: string[]][] = [
  ['texts', { make: 'Ford', year: 2010, note: null }, ['Ford', '2010', '']],
  ['no field at all', {}, []],
  ['a text that ends as the fields do', { note: 'a},[', make: 'Ford' }, ['},[']],
  [
    'lists and objects that end as the fields do',
    { fits: [{ make: 'Opel' }, [], { a: {} }], make: 'Ford' },
    [],
  ],
  ['cells that begin as the fields do', { make: 'Ford' }, ['",{', '"},["', '["0.1",{"make":"Opel"},[']],
  ['quotes and backslashes', { make: 'The "Ford"', note: '\\},[\\' }, ['\\"']],
]

test.each(records)('the fields of a line alone: %s', (_what, fields, original) => {
  const { line } = toSegmentLine({ id: '0.17', fields, original })
  expect(fieldsOfLine(line)).toEqual(fields)
  expect(idOfLine(line)).toBe('0.17')
})

test('a line that is none has no fields', () => {
  const { line } = toSegmentLine({ id: '1', fields: { make: 'Ford' }, original: [] })
  expect(() => fieldsOfLine(line.slice(0, -4))).toThrow(SyntaxError)
})

import { expect, test } from 'vitest'
import { fieldsJson, readFieldsJson } from './fields-json.ts'

const words = { what: 'mapping', invalid: 'Mapping JSON is not valid JSON' } as const

test.each(['{', '7', 'null', '[]', '"partname"'])('%s is not an object of fields', (text) => {
  expect(readFieldsJson(text, words)).toEqual({ problem: 'Mapping JSON is not valid JSON' })
})

test.each([
  ['{"prtname":"x"}', 'The mapping names a field that does not exist: “prtname”'],
  ['{"partname":["x"]}', 'The mapping of Part name must be text'],
  ['{"zip":"a","zipcode":"b"}', 'The mapping names Zipcode twice'],
  ['{"__proto__":"x"}', 'The mapping names a field that does not exist: “__proto__”'],
])('%s: %s', (text, problem) => {
  expect(readFieldsJson(text, words)).toEqual({ problem })
})

test('field aliases are accepted, numbers become text, and empty fields are left out', () => {
  expect(readFieldsJson('{"miles":" Odometer ","partyear":2012,"vin":null,"h1":""}', words)).toEqual({
    fields: { partmiles: 'Odometer', partyear: '2012' },
  })
  expect(readFieldsJson('  ', words)).toEqual({ fields: {} })
})

test('equal fields have equal text, which reads back unchanged', () => {
  const text = fieldsJson({ partprice: 'Price', partname: 'Part', vin: ' ' })
  expect(text).toBe(fieldsJson({ partname: 'Part', partprice: 'Price' }))
  expect(readFieldsJson(text, words)).toEqual({ fields: { partname: 'Part', partprice: 'Price' } })
  expect(fieldsJson({})).toBe('')
})

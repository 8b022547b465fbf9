import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findJsonError } from './json-error.ts'

test.each([
  ['', 1, 1, 'a value'],
  ['nope', 1, 1, 'a value'],
  ['[\n  {"a": 1}\n  {"b": 2}\n]', 3, 3, 'a comma or “]”'],
  ['[{"a": 1,}]', 1, 10, 'a field name in quotation marks'],
  ['[{"a": 1},]', 1, 11, 'a value'],
  ['[{a: 1}]', 1, 3, 'a field name in quotation marks or “}”'],
  ['[{"a" 1}]', 1, 7, 'a colon'],
  ['[{"a": }]', 1, 8, 'a value'],
  ['[{"a": 1 "b": 2}]', 1, 10, 'a comma or “}”'],
  ['[{"a": 01}]', 1, 9, 'a comma or “}”'],
  ['[{"a": 1]', 1, 9, 'a comma or “}”'],
  ['[{"a": 1}', 1, 10, 'a comma or “]”'],
  ['[', 1, 2, 'a value or “]”'],
  ['[] x', 1, 4, 'nothing more'],
  ["['a']", 1, 2, 'a value or “]”'],
  ['["a\n"]', 1, 4, 'a closing quotation mark (a line end inside of text is \\n)'],
  ['["a', 1, 4, 'a closing quotation mark'],
  ['["C:\\parts"]', 1, 5, 'a backslash only before " \\ / b f n r t or u with four digits'],
])('%j: line %i, column %i, expected %s', (text, line, column, expected) => {
  expect(findJsonError(text)).toEqual({ line, column, expected })
})

test('it reports an error for exactly the texts that are not JSON', () => {
  const broken = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', ']', '{', '"', '\\', 'x', ' ', '\n', '0', '-', '1e'))
    .map(([text, at, sign]) => {
      const place = at % (text.length + 1)
      return text.slice(0, place) + sign + text.slice(place + 1)
    })
  const parses = (text: string) => {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
  fc.assert(
    fc.property(fc.oneof(fc.json(), broken), (text) => {
      expect(findJsonError(text) === undefined, text).toBe(parses(text))
    }),
    { numRuns: 500 },
  )
})

import { expect, test } from 'vitest'
import { streamSlots, xmlText } from './streamed-documents.ts'

test('one address has its share of the places, and all together have no more than there are', () => {
  const places = streamSlots({ all: 3, perAddress: 2 })
  const leave = places.take('192.0.2.1')
  places.take('192.0.2.1')
  expect(() => places.take('192.0.2.1')).toThrow('Too many downloads')
  places.take('192.0.2.2')
  expect(() => places.take('192.0.2.3')).toThrow('Too many downloads')
  leave()
  expect(() => places.take('192.0.2.1')).not.toThrow()
})

test.each([
  ['Brakes & <rotors>', 'Brakes &amp; &lt;rotors&gt;'],
  ['17" rim', '17&quot; rim'],
  ['a\u0000b\u000bc\ufffe', 'abc'],
  ['\ud83d\ude97 half \ud83d', '\ud83d\ude97 half '],
  ['two\nlines\tand', 'two\nlines\tand'],
])('%j is written as %j', (text, xml) => {
  expect(xmlText(text)).toBe(xml)
})

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { findInDescription, plainDescription } from './description.ts'

test.each([
  ['<p>OEM part</p><p>Fits&nbsp;2012 &amp; up</p>', 'OEM part\nFits 2012 & up'],
  ['<b>OEM</b>, tested', 'OEM, tested'],
  ['Left side\nHas <b>one</b> tab\n\nCall first', 'Left side\nHas one tab\n\nCall first'],
  ['See <a href="https://yard.example/x">our yard</a>', 'See our yard'],
  ['Fits 2012&ndash;2015, 5&quot; lens', 'Fits 2012–2015, 5" lens'],
  ['&lt;p&gt;Escaped twice&lt;/p&gt;', 'Escaped twice'],
  ['<script>alert(1)</script>Good', 'Good'],
  ['<td>A</td><td>B</td>', 'A B'],
])('%j becomes plain text', (typed, plain) => {
  expect(plainDescription(typed)).toBe(plain)
  expect(findInDescription(typed)).toContain('html')
})

test.each([
  'Bolts <m8 and >10 mm, torque < 5 & > 3',
  'R&D sample, AT&T; 3 < 4',
  '  two  spaces,\ttab\nand lines ',
  'if a <b and c> d',
])('the words of %j are kept to the letter', (typed) => {
  expect(plainDescription(typed)).toBe(typed)
})

test('a plain text stays plain', () => {
  const piece = fc.constantFrom(
    '<b>',
    '</p>',
    '<br/>',
    '&lt;',
    '&gt;',
    '&amp;',
    'p',
    ' ',
    '\n',
    '<',
    '>',
    'Left door',
    '=',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const once = plainDescription(pieces.join(''))
      expect(plainDescription(once)).toBe(once)
    }),
    { numRuns: 300, seed: 7 },
  )
})

test.each([
  ['Call (918) 555-0142 first', ['phone']],
  ['918-555-0142', ['phone']],
  ['Text +1 918.555.0142 or see www.yard.example', ['link', 'phone']],
  ['https://yard.example/parts', ['link']],
  ['more at bigyard.com', ['link']],
  ['<i>Call</i> 918 555 0142', ['html', 'phone']],
  ['Part 27060-0T010, 104210-3250, 12 volts. Fits 2012.5', []],
  ['ID 123-456-78901, stock 1918-555-01421', []],
])('%j has %j', (typed, found) => {
  expect(findInDescription(typed)).toEqual(found)
})

test('a hostile text is handled fast', () => {
  const texts = ['<a '.repeat(3_000), `<a ${'='.repeat(9_000)}`, '<p'.repeat(5_000), `<b${' '.repeat(9_000)}`]
  const began = performance.now()
  for (const text of texts) findInDescription(text)
  expect(performance.now() - began).toBeLessThan(500)
})

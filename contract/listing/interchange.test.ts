import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { linksParts, plainInterchange, readInterchange } from './interchange.ts'

describe('what sellers state about other numbers', () => {
  test.each([
    ['81150-06380', '81150-06380'],
    ['81150-06380, 81150 06470 | 8115006490', '81150-06380; 81150 06470; 8115006490'],
    ['Replaces: 81150-06370\nsuperseded by 81150-06490', 'replaces 81150-06370; replaced by 81150-06490'],
    ['same as 63 11 7 182 396 / also 63117182396', '63 11 7 182 396'],
    ['  ; ,', ''],
    ['ask for the large one', 'ask for the large one'],
    ['replaced by', ''],
  ])('%j is stored as %j', (typed, stored) => expect(plainInterchange(typed)).toBe(stored))

  test('what is stored reads back as typed', () => {
    expect(readInterchange('81150-06380; replaces 81150-06370; replaced by 81150-06490')).toEqual([
      { relation: 'same', number: '81150-06380' },
      { relation: 'replaces', number: '81150-06370' },
      { relation: 'replaced by', number: '81150-06490' },
    ])
    const word = fc.constantFrom(
      'same as ',
      'replaces ',
      'Superseded by: ',
      '; ',
      ', ',
      ' / ',
      '\n',
      ' ',
      '-',
    )
    const text = fc
      .array(fc.oneof(word, fc.stringMatching(/^[A-Z0-9-]{1,9}$/)))
      .map((pieces) => pieces.join(''))
    fc.assert(
      fc.property(text, (typed) => {
        const stored = plainInterchange(typed)
        expect(plainInterchange(stored)).toBe(stored)
      }),
    )
  })
})

test.each([
  ['81150-06380', true],
  ['FK1Z 1955 B', true],
  ['114-60123', false],
  ['545-00871A', false],
  ['L-R', false],
  ['A4', false],
  ['ask for the large one', false],
])('%s links parts: %s', (number, links) => expect(linksParts(number)).toBe(links))

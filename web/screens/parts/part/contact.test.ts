import { expect, test } from 'vitest'
import { sellerName } from '#web/site/card/listing-words.ts'
import { contactMode, openingQuestion, replySentence } from './contact.tsx'

const open = {
  mine: false,
  endedAt: null,
  status: 'ACTIVE',
  preferredContact: 'email',
  dealerphone: '(918) 555-0134',
} as const

test.each([
  ['write-first', {}],
  ['call-first', { preferredContact: 'phone' }],
  ['write-first', { preferredContact: 'phone', dealerphone: null }],
  ['write-first', { preferredContact: 'phone', dealerphone: '' }],
  ['none', { endedAt: '2026-03-01T12:00:00Z' }],
  ['none', { status: 'HIDDEN' }],
  ['own', { mine: true }],
  ['own', { mine: true, endedAt: '2026-03-01T12:00:00Z' }],
] as const)('%s: %j', (mode, change) => {
  expect(contactMode({ ...open, ...change })).toBe(mode)
})

const alternator = {
  partyear: '2014',
  partyearto: null,
  partmanuname: 'Toyota',
  partmodel: 'Camry',
  partname: 'Alternator 130A',
  partnum: '27060-0V210',
}

test('the opening question names the part, and its number if there is one', () => {
  expect(openingQuestion(alternator)).toBe(
    'Hi, is the alternator 130A off the 2014 Camry (part # 27060-0V210) still available?',
  )
  expect(openingQuestion({ ...alternator, partnum: null })).toBe(
    'Hi, is the alternator 130A off the 2014 Camry still available?',
  )
  expect(
    openingQuestion({ ...alternator, partname: 'ABS pump, gold', partmodel: '', partyearto: '2017' }),
  ).toBe('Hi, is the gold ABS pump for the 2014–2017 Toyota (part # 27060-0V210) still available?')
})

test('a seller without a name is called “the seller”', () => {
  expect(sellerName({ dealername: 'Green Country Salvage' })).toBe('Green Country Salvage')
  expect(sellerName({ dealername: ' ' })).toBe('the seller')
})

test.each([
  ['ann@yard.example', '', 'They will reply to ann@yard.example.'],
  ['', '555-0100', 'They will call you at 555-0100.'],
  ['ann@yard.example', '555-0100', 'They will reply to ann@yard.example or call 555-0100.'],
])('%j and %j: %s', (email, phone, words) => {
  expect(replySentence({ email, phone })).toBe(words)
})

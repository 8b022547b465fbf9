import { expect, test } from 'vitest'
import { mailLink, partOf, phoneLink, stateBefore } from './lead-words.ts'

const listing = { slug: 'alternator', title: '2014 Toyota Camry Alternator & pulley' }

const listingTitle = '2014 Toyota Camry Alternator'

test('a mail names the part', () => {
  expect(mailLink('maria@buyer.example', { listing, listingTitle })).toBe(
    'mailto:maria@buyer.example?subject=Re%3A%202014%20Toyota%20Camry%20Alternator%20%26%20pulley',
  )
})

test('a message outlives its part', () => {
  expect(partOf({ listing, listingTitle })).toBe(listing.title)
  expect(partOf({ listing: null, listingTitle })).toBe(listingTitle)
})

test.each([
  ['(918) 555-0134', 'tel:9185550134'],
  ['+1 918 555 0134', 'tel:+19185550134'],
  ['ask at the gate', undefined],
])('%j is dialled as %j', (phone, link) => {
  expect(phoneLink(phone)).toBe(link)
})

test('a message that was answered is answered again when it is opened', () => {
  expect(stateBefore({ answeredAt: null })).toBe('new')
  expect(stateBefore({ answeredAt: '2026-03-01T12:00:00Z' })).toBe('answered')
})

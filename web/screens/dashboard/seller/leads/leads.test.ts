import { expect, test } from 'vitest'
import type { Lead } from '#contract/leads.ts'
import {
  countIn,
  emptyWords,
  excerptOf,
  inboxQuery,
  mailLink,
  partOf,
  readInbox,
  soldMessage,
  stateBefore,
  withReply,
} from './leads.ts'

test.each([
  ['', { view: 'new', page: 1, leadId: undefined }],
  ['?state=closed&page=3&lead=0195', { view: 'closed', page: 3, leadId: '0195' }],
  ['?state=all', { view: 'all', page: 1, leadId: undefined }],
  ['?state=everything&page=-1&lead=', { view: 'new', page: 1, leadId: undefined }],
  ['?page=1e9', { view: 'new', page: 1, leadId: undefined }],
] as const)('reads the URL %j', (search, inbox) => {
  expect(readInbox(new URLSearchParams(search))).toEqual(inbox)
})

test.each(['', '?state=all', '?state=closed&page=3&lead=0195'])('%j is written back unchanged', (query) => {
  expect(inboxQuery(readInbox(new URLSearchParams(query)))).toBe(query)
})

const counts = { new: 3, answered: 20, closed: 0 }

test('All counts every state', () => {
  expect(countIn('all', counts)).toBe(23)
  expect(countIn('answered', counts)).toBe(20)
})

test('an empty view differs from an empty inbox', () => {
  expect(emptyWords('closed', counts).title).toBe('No closed messages')
  expect(emptyWords('closed', { new: 0, answered: 0, closed: 0 }).title).toBe('No messages yet')
})

const listing = { slug: 'alternator', title: '2014 Toyota Camry Alternator & pulley' }

const listingTitle = '2014 Toyota Camry Alternator'

test('an email link names the part', () => {
  expect(mailLink('maria@buyer.example', { listing, listingTitle })).toBe(
    'mailto:maria@buyer.example?subject=Re%3A%202014%20Toyota%20Camry%20Alternator%20%26%20pulley',
  )
})

test('a message outlives its part', () => {
  expect(partOf({ listing, listingTitle })).toBe(listing.title)
  expect(partOf({ listing: null, listingTitle })).toBe(listingTitle)
})

test('an answered message returns to answered when it is reopened', () => {
  expect(stateBefore({ answeredAt: null })).toBe('new')
  expect(stateBefore({ answeredAt: '2026-03-01T12:00:00Z' })).toBe('answered')
})

const said = (changes: Partial<Lead['messages'][number]>): Lead['messages'][number] => ({
  id: '1',
  kind: 'text',
  from: 'buyer',
  by: 'Ruth',
  message: 'Still there?',
  createdAt: '2026-03-01T12:00:00Z',
  price: null,
  currency: null,
  expiresAt: null,
  offerState: null,
  mailed: true,
  ...changes,
})
const deal = { price: 90, currency: 'USD', message: '' }

test.each([
  [[said({})], 'Still there?'],
  [[said({}), said({ from: 'seller', by: 'Dana', message: 'Yes.' })], 'Dana replied: Yes.'],
  [[said({}), said({ message: 'Great' })], 'Ruth wrote: Great'],
  [[said({ kind: 'offer', ...deal, message: 'Hi' })], 'Ruth offered $90.00: Hi'],
  [[said({}), said({ kind: 'accept', ...deal })], 'Ruth accepted $90.00'],
  [[], 'Still there?'],
])('the list shows what was said last: %#', (messages, words) => {
  expect(excerptOf({ messages, message: 'Still there?' })).toBe(words)
})

test('a quick reply is added after what is already typed', () => {
  expect(withReply(' \n', 'Yes.')).toBe('Yes.')
  expect(withReply('Hello Ruth,\n', 'Yes.')).toBe('Hello Ruth,\n\nYes.')
})

test.each([
  [{ told: 1, listingEnded: false }, '1 buyer notified'],
  [{ told: 3, listingEnded: true }, '3 buyers notified, listing marked as sold'],
  [{ told: 0, listingEnded: true }, 'Marked as sold'],
  [{ told: 0, listingEnded: false }, 'Message closed'],
])('%j: %s', (done, words) => {
  expect(soldMessage(done)).toBe(words)
})

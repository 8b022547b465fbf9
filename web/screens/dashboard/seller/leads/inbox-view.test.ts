import { expect, test } from 'vitest'
import { countIn, emptyWords, inboxQuery, readInbox } from './inbox-view.ts'

test.each([
  ['', { view: 'new', page: 1, leadId: undefined }],
  ['?state=closed&page=3&lead=0195', { view: 'closed', page: 3, leadId: '0195' }],
  ['?state=all', { view: 'all', page: 1, leadId: undefined }],
  ['?state=everything&page=-1&lead=', { view: 'new', page: 1, leadId: undefined }],
  ['?page=1e9', { view: 'new', page: 1, leadId: undefined }],
] as const)('the address %j', (search, inbox) => {
  expect(readInbox(new URLSearchParams(search))).toEqual(inbox)
})

test.each(['', '?state=all', '?state=closed&page=3&lead=0195'])('%j is written as it was read', (query) => {
  expect(inboxQuery(readInbox(new URLSearchParams(query)))).toBe(query)
})

const counts = { new: 3, answered: 20, closed: 0 }

test('All counts every state', () => {
  expect(countIn('all', counts)).toBe(23)
  expect(countIn('answered', counts)).toBe(20)
})

test('an empty view is told from an empty inbox', () => {
  expect(emptyWords('closed', counts).title).toBe('No closed messages')
  expect(emptyWords('closed', { new: 0, answered: 0, closed: 0 }).title).toBe('No messages yet')
})

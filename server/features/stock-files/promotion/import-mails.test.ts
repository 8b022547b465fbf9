import { expect, test } from 'vitest'
import { importMail } from './import-mails.ts'

const letterhead = { productName: 'PartHarbor', publicUrl: 'https://parts.example' }
const found = {
  importId: '019a0000-0000-7000-8000-000000000001',
  sellerId: '019a0000-0000-7000-8000-000000000002',
  fileName: 'stock.csv',
  sellerName: 'Whitfield Auto',
  created: 1_500,
  updated: 2,
  ended: 0,
  isUnused: false,
  waiting: 0,
  held: 0,
  restAt: null,
  timeZone: 'America/Chicago',
  reasons: [],
}

test('a finished import, with the link to its receipt', () => {
  expect(importMail(found, 'live', letterhead)).toEqual({
    subject: 'stock.csv is live',
    body: `stock.csv is live: 1,500 new, 2 updated.

The receipt, with an undo button for 30 days:

https://parts.example/dashboard/seller/imports/019a0000-0000-7000-8000-000000000001

PartHarbor
`,
  })
})

test('a file of which no row could be used is not called live', () => {
  const unused = importMail({ ...found, created: 0, updated: 0, isUnused: true }, 'live', letterhead)
  expect(unused.subject).toBe('Nothing in stock.csv could be used')
  expect(unused.body).not.toContain('live')
})

test('rows that wait for the seller are mentioned', () => {
  expect(importMail({ ...found, held: 3 }, 'live', letterhead).body).toContain(
    '3 rows wait for your answer: the receipt has the questions.',
  )
})

test('the first parts of a new seller, with the time of the rest in their town', () => {
  const first = { ...found, created: 500, waiting: 1_810, restAt: new Date('2026-02-01T21:40:00Z') }
  expect(importMail(first, 'first-parts', letterhead).body).toContain(
    '500 parts of stock.csv are live. Because this is your first import, the other 1,810 changes go live at 3:40 PM CST unless buyers report your listings.',
  )
})

test('a question gives its reasons, and an import without a file name is still named', () => {
  const asked = { ...found, fileName: '', reasons: ['2 of 5 live parts (40%) are not in this file.'] }
  const { subject, body } = importMail(asked, 'question', letterhead)
  expect(subject).toBe('Your import needs your answer')
  expect(body).toContain('2 of 5 live parts (40%) are not in this file.')
})

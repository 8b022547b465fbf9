import { expect, test } from 'vitest'
import type { ListingRecord } from '#server/features/market/listings/write-queries.ts'
import { decideSaveUndo } from './undo-bulk-edit.ts'

const listing = (version: number, deletedAt: Date | null = null) =>
  ({ version, deleted_at: deletedAt }) as ListingRecord
const change = { version: 3, changes: { price_cents: [100, 200], grade: [null, 'A'] } } as const
const decide = (facts: object) =>
  decideSaveUndo({
    listing: listing(3),
    change: { version: 3, changes: { price_cents: [100, 200], grade: [null, 'A'] } },
    later: [],
    isModel: () => true,
    ...facts,
  })
const later = (...all: Record<string, [unknown, unknown]>[]) => all.map((changes) => ({ changes }))

test('a listing that is as the save left it gets everything back', () => {
  expect(decide({ change })).toEqual({
    kind: 'restore',
    columns: { price_cents: [200, 100], grade: ['A', null] },
  })
})

test.each<[title: string, facts: object, because: string]>([
  ['it no longer exists', { listing: undefined }, 'gone'],
  ['it was deleted', { listing: listing(4, new Date()) }, 'deleted'],
  ['changed since', { listing: listing(4), later: later({ price_cents: [200, 300] }) }, 'changed'],
  ['another field changed since', { listing: listing(4), later: later({ city: ['', 'Enid'] }) }, 'changed'],
  [
    'the value that was saved has followed a renamed lookup',
    {
      change: { version: 3, changes: { model_name: ['F150', 'F-150'] } },
      listing: listing(4),
      later: [{ changes: { model_name: ['F-150', 'F-150 XL'] }, relabelled: true }],
    },
    'changed',
  ],
  ['changed since, without a history entry', { listing: listing(4) }, 'changed'],
  [
    'its former model no longer exists',
    { change: { version: 3, changes: { car_model_id: ['m', null] } }, isModel: () => false },
    'model gone',
  ],
])('%s: the listing is kept', (_title, facts, because) => {
  expect(decide(facts)).toEqual({ kind: 'keep', because })
})

test.each([
  ['one after the other', later({ city: ['', 'Enid'] }, { city: ['Enid', ''] })],
  [
    'via other values',
    later(
      { city: ['', 'Enid'] },
      { city: ['Enid', 'Ada'], zip: [null, '1'] },
      { city: ['Ada', ''], zip: ['1', null] },
    ),
  ],
])('changes that others undid themselves do not count: %s', (_title, changes) => {
  expect(decide({ listing: listing(3 + changes.length), later: changes }).kind).toBe('restore')
})

test('a listing that followed a renamed lookup in other columns is restored', () => {
  const followed = { changes: { manufacturer_name: ['Chevy', 'Chevrolet'] }, relabelled: true }
  expect(decide({ listing: listing(4), later: [followed] }).kind).toBe('restore')
})

import { expect, test } from 'vitest'
import type { SellerOrder } from '#contract/order/order-views.ts'
import { byPlace, firstName, isToPull, placeOf, type ToDo, toDoOf } from './to-do.ts'

const deadline = { at: '2026-03-03T21:00:00.000Z', zone: 'America/Chicago' }
const facts = {
  state: 'authorized' as SellerOrder['state'],
  actions: [] as SellerOrder['actions'],
  held: false,
  dispute: null as SellerOrder['dispute'],
  needsAttention: false,
  cancelAsked: null as string | null,
  total: 115 as number | null,
  deadline: deadline as SellerOrder['deadline'],
  shipsBy: null as string | null,
  returns: [] as Pick<SellerOrder['returns'][number], 'kind' | 'state' | 'deadline'>[],
}

test.each<[string, Partial<typeof facts>, ToDo | undefined]>([
  ['to be found', { actions: ['confirm', 'not-found'] }, { title: 'Find the part', at: deadline.at }],
  [
    'to be shipped',
    { actions: ['ship', 'refund'], shipsBy: '2026-03-05T23:00:00.000Z' },
    { title: 'Ship it', at: '2026-03-05T23:00:00.000Z' },
  ],
  [
    'to be quoted',
    { actions: ['quote'], total: null },
    { title: 'Name the shipping price', at: deadline.at },
  ],
  [
    'disputed, and the yard has said nothing',
    {
      dispute: {
        state: 'needs-response',
        amount: 115,
        openedAt: deadline.at,
        reason: 'the part did not arrive',
        dueBy: deadline.at,
        zone: 'America/Denver',
        answer: '',
        photoIds: [],
        canAnswer: true,
      },
    },
    { title: 'Tell us about the dispute', at: deadline.at, zone: 'America/Denver', onPage: 'Answer' },
  ],
  ['quoted already', { actions: ['quote'] }, undefined],
  [
    'asked to cancel',
    { actions: ['ship', 'refund'], cancelAsked: '' },
    { title: 'The buyer asked to cancel', at: deadline.at },
  ],
  [
    'refunded',
    { actions: ['restock'], deadline: null },
    { title: 'Is the part back on the shelf?', at: null },
  ],
  [
    'ready',
    { state: 'ready', actions: ['hand-over', 'refund'], shipsBy: '2026-03-05T23:00:00.000Z' },
    { title: 'Hand it over', at: deadline.at },
  ],
  [
    'claimed',
    { state: 'delivered', returns: [{ kind: 'claim', state: 'asked', deadline }] },
    { title: 'Answer the claim', at: deadline.at, zone: deadline.zone, onPage: 'Answer' },
  ],
  [
    'sent back',
    { state: 'delivered', returns: [{ kind: 'core', state: 'sent', deadline: null }] },
    { title: 'Is the core back?', at: null, onPage: 'It is back' },
  ],
  [
    'waiting for a parcel',
    { state: 'delivered', returns: [{ kind: 'return', state: 'approved', deadline }] },
    undefined,
  ],
  ['not found', { state: 'not-found', actions: ['restock'], deadline: null }, undefined],
  ['held', { actions: ['confirm'], held: true }, undefined],
])('an order that is %s', (_, changes, expected) => {
  expect(toDoOf({ ...facts, ...changes })).toEqual(expected)
})

test.each([
  [{ held: false, state: 'authorized', mode: 'confirm' }, true],
  [{ held: false, state: 'confirmed', mode: 'confirm' }, false],
  [{ held: false, state: 'confirmed', mode: 'instant' }, true],
  [{ held: true, state: 'authorized', mode: 'confirm' }, false],
  [{ held: false, state: 'pending', mode: 'confirm' }, false],
  [{ held: false, disputed: true, state: 'confirmed', mode: 'instant' }, false],
] as const)('whether %j is on the pull list: %s', (order, expected) => {
  expect(isToPull({ disputed: false, ...order })).toBe(expected)
})

test('shelves are sorted as people count them; without a note, the stock number says where', () => {
  const at = (shelf: string | null, stockNumber: string | null = null) => ({
    shelf,
    parts: [{ stockNumber }],
  })
  const orders = [at('Row 10', 'A1'), at(null), at('Row 9'), at(null, 'Barn 2')]
  expect(orders.toSorted(byPlace).map(placeOf)).toEqual(['Barn 2', 'Row 9', 'Row 10', null])
})

test('a buyer is called by the first name', () => {
  expect(firstName(' Ruth  Amador')).toBe('Ruth')
  expect(firstName('Ruth')).toBe('Ruth')
})

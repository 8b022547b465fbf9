import type { Quote } from '#contract/order/order-quote.ts'
import type { BuyerOrder } from '#contract/order/order-views.ts'
import { newId } from './fake-server.ts'

/** What a part of $100 costs with shipping and a core charge. */
export const makeQuote = (changes: Partial<Quote> = {}): Quote => ({
  needsQuote: false,
  lines: [
    { kind: 'part', amount: 100 },
    { kind: 'shipping', amount: 20 },
    { kind: 'core', amount: 15 },
  ],
  total: 135,
  delivery: ['ship'],
  shipsBy: '2026-12-07T22:00:00.000Z',
  terms: [],
  taxAdded: false,
  mode: 'confirm',
  ...changes,
})

/** An order that the yard looks for, as its buyer sees it. */
export const makeBuyerOrder = (changes: Partial<BuyerOrder> = {}): BuyerOrder => ({
  id: newId(),
  number: 'PH-100234',
  state: 'authorized',
  lines: [
    { kind: 'part', amount: 100 },
    { kind: 'shipping', amount: 20 },
  ],
  total: 120,
  expiresAt: null,
  mode: 'confirm',
  delivery: 'ship',
  held: false,
  disputed: false,
  needsAttention: false,
  returns: [],
  createdAt: '2026-11-30T15:00:00.000Z',
  sentence: 'Green Country has until Tue 3 PM Central to find your part. If not, you pay nothing.',
  deadline: { at: new Date(Date.now() + 50 * 3_600_000).toISOString(), zone: 'America/Chicago' },
  parts: [
    {
      listingId: newId(),
      slug: 'starter-1',
      title: '2012 Toyota Camry Starter',
      imageUrl: null,
      categoryGroup: 'Electrical',
      quantity: 1,
      price: 100,
      core: 0,
      state: 'wanted',
      grade: 'B',
      partNumber: '28100-1',
      stockNumber: null,
      donorVin: null,
      miles: 90_000,
      terms: ['30-day returns'],
      restricted: null,
      fits: null,
    },
  ],
  shipsBy: null,
  shipment: null,
  refunds: [],
  timeline: [{ at: '2026-11-30T15:00:00.000Z', kind: 'placed', by: 'buyer', text: 'You placed the order.' }],
  yard: { name: 'Green Country', slug: 'green-country', phone: null, pickup: null },
  vin: null,
  vinConfirmed: false,
  review: null,
  actions: ['cancel'],
  money: { captured: 0, refunded: 0 },
  name: 'Maria Lopez',
  email: 'maria@buyer.example',
  phone: null,
  address: { line1: '12 Elm St', line2: '', city: 'Tulsa', state: 'OK', zip: '74103' },
  pickupCode: null,
  ...changes,
})

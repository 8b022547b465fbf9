import type { AdminOrder, BoughtPart, SellerOrder } from '#contract/order/order-views.ts'
import { newId } from './fake-server.ts'

export const makePart = (changes: Partial<BoughtPart> = {}): BoughtPart => ({
  id: newId(),
  listingId: newId(),
  slug: 'starter-1',
  title: '2012 Toyota Camry Starter',
  imageUrl: null,
  categoryGroup: 'Electrical',
  quantity: 1,
  price: 95,
  core: 0,
  state: 'wanted',
  grade: 'B',
  partNumber: '28100-0H010',
  stockNumber: 'A-117',
  donorVin: null,
  miles: 90_000,
  terms: ['Sold as used. Returns within 30 days.'],
  restricted: null,
  fits: 'The yard says that it fits 2012 Toyota Camry.',
  ...changes,
})

/** An order that waits for the yard to find the part. */
export const makeOrder = (changes: Partial<SellerOrder> = {}): SellerOrder => ({
  id: newId(),
  number: 'PH-100234',
  state: 'authorized',
  lines: [
    { kind: 'part', amount: 95 },
    { kind: 'shipping', amount: 20 },
  ],
  total: 115,
  taxAdded: false,
  expiresAt: null,
  mode: 'confirm',
  delivery: 'ship',
  held: false,
  disputed: false,
  dispute: null,
  needsAttention: false,
  returns: [],
  returnUntil: null,
  createdAt: '2026-03-01T10:00:00.000Z',
  sentence: 'Find the part and confirm by Tue 3 PM Central. If you don’t, the order is canceled.',
  deadline: { at: '2026-03-03T21:00:00.000Z', zone: 'America/Chicago' },
  parts: [makePart()],
  ifMissing: null,
  shipsBy: null,
  shipment: null,
  refunds: [],
  timeline: [
    { at: '2026-03-01T10:00:00.000Z', kind: 'placed', by: 'buyer', text: 'Ruth placed the order.' },
    { at: '2026-03-01T10:01:00.000Z', kind: 'authorize', by: 'provider', text: 'The bank approved $115.00.' },
  ],
  yard: { name: 'Whitfield Auto Salvage', slug: 'whitfield', phone: null, pickup: null },
  vin: null,
  vinConfirmed: false,
  review: null,
  actions: ['confirm', 'not-found'],
  money: { gross: 0, royalty: 0, fee: null, refunded: 0, transferred: 0 },
  payout: null,
  buyer: {
    name: 'Ruth',
    email: null,
    phone: null,
    address: { line2: '', city: 'Tulsa', state: 'OK', zip: '74103' },
  },
  shelf: 'Row 4, bin 12',
  cancelAsked: null,
  ...changes,
})

export const asConfirmed = (changes: Partial<SellerOrder> = {}): SellerOrder =>
  makeOrder({
    state: 'confirmed',
    sentence: 'Paid: $115.00. Ship the part by Thu, Mar 5.',
    deadline: null,
    shipsBy: '2026-03-05T23:00:00.000Z',
    parts: [makePart({ state: 'found' })],
    actions: ['ship', 'refund'],
    money: { gross: 115, royalty: 9.5, fee: null, refunded: 0, transferred: 0 },
    buyer: {
      name: 'Ruth Amador',
      email: 'ruth@buyer.example',
      phone: '(918) 555-0177',
      address: { line1: '12 Elm St', line2: '', city: 'Tulsa', state: 'OK', zip: '74103' },
    },
    ...changes,
  })

export const asAdmin = (order: SellerOrder, changes: Partial<AdminOrder> = {}): AdminOrder => ({
  ...order,
  actions: ['hold', 'refund'],
  sellerId: newId(),
  heldReason: null,
  attention: null,
  provider: { session: 'cs_test_1', payment: 'pi_1' },
  ...changes,
})

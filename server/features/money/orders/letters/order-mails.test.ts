import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { OrderState } from '#contract/order/order-steps.ts'
import { htmlPart } from '#server/features/talk/mail/html-part.ts'
import { checkMail } from '#server/features/talk/mail/mail.ts'
import {
  isNews,
  type MailedOrder,
  mailToBuyer,
  mailToSeller,
  type OrderMailKind,
  orderMailKinds,
} from './order-mails.ts'

const site = { publicUrl: 'https://parts.example', productName: 'PartHarbor' }
const link = 'https://parts.example/orders#a-token'
const dana = { to: 'dana@yard.example', link: 'https://parts.example/dashboard/seller/orders/7' }

const order: MailedOrder = {
  state: 'authorized',
  mode: 'confirm',
  delivery: 'ship',
  held: false,
  disputed: false,
  takenCents: 0,
  yard: 'Green Country',
  buyer: 'Ruth',
  totalCents: 13_500,
  capturedCents: 0,
  refundedCents: 0,
  refundPendingCents: 0,
  refundFailed: false,
  deadline: { at: '2026-12-01T21:00:00Z', zone: 'America/Chicago' },
  shipsBy: '2026-12-04T18:00:00Z',
  timeZone: 'America/Chicago',
  cancelAsked: false,
  delayed: false,
  number: 'PH-100234',
  title: '2014 Ford F-150 Alternator',
  lines: [
    { kind: 'part', cents: 11_500 },
    { kind: 'shipping', cents: 2_000 },
    { kind: 'core', cents: 0 },
  ],
  buyerName: 'Ruth Amador',
  buyerEmail: 'ruth@garage.example',
  buyerPhone: '(918) 555-0101',
  address: ['Ruth Amador', '12 Elm Street', 'Apt 4', 'Tulsa, OK 74101'],
  town: 'Tulsa, OK 74101',
  vin: '1FTFW1ET5DFC10312',
  vinConfirmed: false,
  yardPhone: '(918) 555-0199',
  pickup: null,
  pickupCode: null,
  shipment: null,
  reason: '',
  refundCents: 2_000,
  terms: ['90-day warranty', '30-day returns'],
  restricted: null,
  parts: [
    {
      title: '2014 Ford F-150 Alternator',
      quantity: 1,
      cents: 11_500,
      isMissing: false,
      grade: 'A',
      partNumber: 'DL3Z-10346-A',
      stockNumber: 'S-118',
      shelf: 'Row 4, B2',
    },
  ],
  now: new Date('2026-11-29T14:00:00Z'),
}
const paid = { state: 'confirmed', capturedCents: 13_500 } as const

/** The state that an order has once the mail is due. */
const states: Readonly<Record<OrderMailKind, OrderState>> = {
  placed: 'pending',
  quoted: 'quoting',
  'quote-asked': 'quoting',
  authorized: 'authorized',
  confirmed: 'confirmed',
  'not-found': 'not-found',
  canceled: 'canceled',
  missed: 'canceled',
  dropped: 'canceled',
  expired: 'expired',
  'late-money': 'authorized',
  'late-refund': 'expired',
  lost: 'canceled',
  shipped: 'shipped',
  ready: 'ready',
  'pickup-reminder': 'ready',
  arrived: 'shipped',
  delivered: 'delivered',
  delay: 'confirmed',
  'cancel-asked': 'confirmed',
  'refund-asked': 'delivered',
  refunded: 'refunded',
  'refund-failed': 'delivered',
  held: 'confirmed',
  released: 'confirmed',
  unpaid: 'pending',
}
const buyerOnly: OrderMailKind[] = [
  'placed',
  'quoted',
  'not-found',
  'late-money',
  'late-refund',
  'shipped',
  'ready',
  'pickup-reminder',
  'arrived',
  'unpaid',
]
const sellerOnly: OrderMailKind[] = ['quote-asked', 'cancel-asked']

const toBuyer = (kind: OrderMailKind, change: Partial<MailedOrder> = {}) =>
  mailToBuyer(kind, { ...order, state: states[kind], ...change }, link, site)
const toSeller = (kind: OrderMailKind, change: Partial<MailedOrder> = {}) =>
  mailToSeller(kind, { ...order, state: states[kind], ...change }, dana, site)

test.each(orderMailKinds)('%s goes to whom it concerns, with part, yard and link', (kind) => {
  const buyer = toBuyer(kind)
  const seller = toSeller(kind)
  expect(buyer === undefined).toBe(sellerOnly.includes(kind))
  expect(seller === undefined).toBe(buyerOnly.includes(kind))
  for (const mail of [buyer, seller].filter((found) => found !== undefined)) {
    expect(mail.subject).toContain('Green Country')
    expect(mail.subject).toMatch(/: 2014 Ford F-150 Alternator$/)
    expect(checkMail(mail).subject).toBe(mail.subject)
    expect(mail.body).toContain('Order PH-100234\n2014 Ford F-150 Alternator\n')
    expect(mail.body).not.toMatch(/undefined|null|NaN|escrow|\n{3}/i)
  }
  expect(buyer?.body ?? link).toContain(link)
  expect(seller?.body ?? dana.link).toContain(dana.link)
  // The button is the link to the order.
  expect(buyer === undefined || htmlPart({ ...buyer, button: buyer.button ?? null }, site)).toSatisfy(
    (html: unknown) =>
      html === true || String(html).includes(`<a href="${link}" style="display:inline-block`),
  )
})

test('the email about a payment that waits for the yard', () => {
  expect(toBuyer('authorized')).toEqual({
    to: 'ruth@garage.example',
    subject:
      'Green Country will find your part by Tue 3 PM Central or you pay nothing: 2014 Ford F-150 Alternator',
    button: 'See your order',
    body: `Hello Ruth,

Green Country has until Tue 3 PM Central to find your part. If not, you pay nothing. Your bank may show $135.00 as pending; we have not taken it.

${link}

VIN of your vehicle: 1FTFW1ET5DFC10312

Terms:
- 90-day warranty
- 30-day returns

Order PH-100234
2014 Ford F-150 Alternator
Sold by Green Country
Part: $115.00
Shipping: $20.00
Total: $135.00

You get this email because somebody ordered with this address on PartHarbor. If it wasn't you, open the order and choose “This wasn't me”.
`,
  })
})

test('the yard’s email about an order to confirm names neither street, phone nor email', () => {
  expect(toSeller('authorized')).toEqual({
    to: 'dana@yard.example',
    subject: 'Green Country: find and confirm by Tue 3 PM Central: 2014 Ford F-150 Alternator',
    button: 'Confirm or not found',
    body: `Find the part and confirm by Tue 3 PM Central. If you don't, the order is canceled and Ruth pays nothing.

${dana.link}

Order PH-100234
2014 Ford F-150 Alternator
Grade: A
Part number: DL3Z-10346-A
Stock number: S-118
Shelf: Row 4, B2
Part: $115.00
Shipping: $20.00
Total: $135.00

Buyer: Ruth, Tulsa, OK 74101
VIN of the vehicle it is for: 1FTFW1ET5DFC10312

PartHarbor always sends emails that have a deadline, are about money or stop an order.
`,
  })
})

test('nothing that is not paid shows the yard where the buyer lives', () => {
  const unpaid: OrderState[] = [
    'quoting',
    'pending',
    'authorized',
    'capturing',
    'expired',
    'canceled',
    'not-found',
    'refunded',
  ]
  for (const kind of orderMailKinds) {
    for (const state of unpaid) {
      const mail = toSeller(kind, { state })
      const text = JSON.stringify(mail ?? '')
      expect(text).not.toMatch(/Elm Street|Apt 4|Amador|ruth@garage|555-0101/)
    }
  }
})

test('once it is confirmed, the yard gets the address and can reply', () => {
  const mail = toSeller('confirmed', paid)
  expect(mail?.replyTo).toBe('ruth@garage.example')
  expect(mail?.subject).toBe('Green Country: sold, ship it by Fri, Dec 4: 2014 Ford F-150 Alternator')
  expect(mail?.body).toContain('Ship to:\nRuth Amador\n12 Elm Street\nApt 4\nTulsa, OK 74101')
})

test('a part that is ready comes with address, hours and code', () => {
  const mail = toBuyer('ready', {
    ...paid,
    state: 'ready',
    delivery: 'pickup',
    address: [],
    pickupCode: '042917',
    pickup: { address: '500 Yard Road, Tulsa, OK', hours: ['Monday to Friday, 8 AM to 5 PM'] },
  })
  expect(mail?.subject).toBe(
    'Pick up your part at Green Country by Tue 3 PM Central: 2014 Ford F-150 Alternator',
  )
  expect(mail?.body).toContain('Your pickup code: 042 917')
  expect(mail?.body).toContain(
    'Green Country\n500 Yard Road, Tulsa, OK\nMonday to Friday, 8 AM to 5 PM\nPhone: (918) 555-0199',
  )
})

test('a shipped part comes with its carrier', () => {
  const shipment = { carrierName: 'UPS', tracking: '1Z9', url: 'https://www.ups.com/track?tracknum=1Z9' }
  expect(toBuyer('shipped', { ...paid, state: 'shipped', shipment })?.body).toContain(
    'Carrier: UPS\nTracking number: 1Z9\nTrack it: https://www.ups.com/track?tracknum=1Z9',
  )
  expect(toBuyer('shipped', { shipment })?.subject).toMatch(/^Green Country shipped your part, track it: /)
  const untracked = toBuyer('shipped', { shipment: { ...shipment, tracking: '', url: null } })
  expect(untracked?.subject).toMatch(/^Green Country shipped your part: /)
  expect(untracked?.body).toContain('Carrier: UPS\n\nQuestions?')
})

test('an order without a shipping price names no total', () => {
  const asked = toSeller('quote-asked', { totalCents: null, lines: [{ kind: 'part', cents: 11_500 }] })
  expect(asked?.subject).toBe(
    'Green Country: name a shipping price by Tue 3 PM Central: 2014 Ford F-150 Alternator',
  )
  expect(asked?.body).toContain('Part: $115.00\n\nBuyer:')
  expect(toBuyer('placed', { state: 'quoting', totalCents: null })?.subject).toBe(
    'Green Country names a shipping price by Tue 3 PM Central: 2014 Ford F-150 Alternator',
  )
})

test('strangers’ words cannot pass for ours', () => {
  const mean = {
    ...paid,
    yard: 'Yard\r\nBcc: all@example.com',
    buyer: 'Ruth\u2028https://bad.example',
    title: 'Alternator\n\nhttps://parts.example/pay-here',
    reason: 'No.\n\nhttps://parts.example/pay-here\nPay again',
  }
  for (const kind of orderMailKinds) {
    for (const mail of [toBuyer(kind, mean), toSeller(kind, mean)].filter((found) => found !== undefined)) {
      expect(mail.subject).not.toMatch(/[\r\n\u2028]/)
      // Only a line of its own becomes a link or button.
      expect(mail.body.split(/[\n\r\u2028]/)).not.toContain('https://parts.example/pay-here')
      expect(mail.body.split(/[\n\r\u2028]/)).not.toContain('Bcc: all@example.com')
    }
  }
  expect(toSeller('cancel-asked', mean)?.body).toContain(
    'wrote:\n> No.\n>\n> https://parts.example/pay-here\n> Pay again',
  )
})

test('nobody is greeted by a stranger’s words before a bank has approved the payment', () => {
  for (const kind of ['placed', 'quoted', 'unpaid'] as const)
    expect(toBuyer(kind, { buyer: 'Win $1000 at bad.example' })?.body).not.toContain('bad.example')
})

test('a subject has at most 120 characters, whatever yard and part are called', () => {
  const long = {
    yard: 'Y'.repeat(120),
    buyer: 'B'.repeat(80),
    title: '🚗'.repeat(100),
    refundCents: 123_456_789,
  }
  for (const kind of orderMailKinds) {
    for (const change of [long, { ...long, ...paid }, { ...long, totalCents: null }]) {
      for (const mail of [toBuyer(kind, change), toSeller(kind, change)].filter(
        (found) => found !== undefined,
      )) {
        expect(mail.subject.length).toBeLessThanOrEqual(120)
        expect(mail.subject.isWellFormed()).toBe(true)
        expect(mail.subject).toContain('🚗')
      }
    }
  }
})

test('the switch for new orders stops no email with a deadline or about money', () => {
  const stopped = orderMailKinds.filter((kind) => isNews(kind) && toSeller(kind))
  expect(stopped).toEqual(['expired', 'delivered'])
  for (const kind of stopped) {
    expect(toSeller(kind, { deadline: null })?.subject).not.toMatch(/by |\$/)
    expect(toSeller(kind)?.body).toContain('while “Email me about new orders” is on')
  }
})

test('docs/mails.md lists every kind, to whom it goes, and its subject', () => {
  const rows = [...readFileSync('docs/mails.md', 'utf8').matchAll(/^\| `([\w-]+)` \|(.+)\|$/gm)].map(
    ([, kind = '', cells = '']) => [kind, ...cells.split('|').map((cell) => cell.trim())],
  )
  expect(rows.map(([kind]) => kind).toSorted()).toEqual([...orderMailKinds].toSorted())
  for (const [kind, , buyer = '', seller = '', when] of rows) {
    const known = orderMailKinds.find((one) => one === kind) ?? 'placed'
    expect(buyer.split(/; (?:[\w ]+: )?/)).toContain(toBuyer(known)?.subject.replace(/: 2014.*/, '') ?? '')
    const subject = toSeller(known)
      ?.subject.replace(/: 2014.*/, '')
      .replace('Green Country: ', '')
    expect(seller.split(/; (?:[\w ]+: )?/)).toContain(subject ?? '')
    if (subject !== undefined) expect(when).toBe(isNews(known) ? 'news' : 'always')
  }
})

test('a refund of a part of the money does not ask what becomes of the part', () => {
  expect(toSeller('refunded', { state: 'delivered' })?.subject).toBe(
    'Green Country: $20.00 went back to Ruth: 2014 Ford F-150 Alternator',
  )
})

test.each([
  [true, 'Green Country confirmed that the part fits it.'],
  [false, 'Green Country did not check whether the part fits it.'],
])('the confirmation says what the yard answered about the VIN: %s', (vinConfirmed, answer) => {
  expect(toBuyer('confirmed', { ...paid, vinConfirmed })?.body).toContain(answer)
  expect(toBuyer('confirmed', { ...paid, vinConfirmed, vin: null })?.body).not.toContain('fits it')
})

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ReturnKind } from '#contract/order/returns/return-steps.ts'
import { letterToBuyer, letterToSeller, type MailedOrder } from './order-mails.ts'
import { type MailedReturn, returnLetters, returnMailOccasions } from './return-mails.ts'

const order: MailedOrder = {
  state: 'delivered',
  mode: 'confirm',
  delivery: 'ship',
  held: false,
  disputed: false,
  takenCents: 0,
  yard: 'Green Country',
  buyer: 'Ruth',
  totalCents: 13_500,
  capturedCents: 13_500,
  refundedCents: 0,
  refundPendingCents: 0,
  refundFailed: false,
  deadline: null,
  shipsBy: null,
  timeZone: 'America/Chicago',
  cancelAsked: false,
  delayed: false,
  number: 'PH-100234',
  title: '2014 Ford F-150 Alternator',
  lines: [{ kind: 'part', cents: 13_500 }],
  buyerName: 'Ruth Baker',
  buyerEmail: 'ruth@buyer.example',
  buyerPhone: null,
  address: [],
  town: null,
  vin: null,
  vinConfirmed: false,
  yardPhone: null,
  pickup: null,
  pickupCode: null,
  shipment: null,
  reason: 'It was fine\nwhen we packed it',
  refundCents: 0,
  terms: [],
  restricted: null,
  parts: [],
  now: new Date('2026-12-01T12:00:00Z'),
}
const site = { productName: 'PartHarbor', publicUrl: 'https://parts.example' }

const mailed = (kind: ReturnKind): MailedReturn => ({
  kind,
  reason: kind === 'core' ? 'core' : 'doesnt-fit',
  state: 'approved',
  deadline: { at: '2026-12-04T21:00:00Z', zone: 'America/Chicago' },
  amountCents: 5_000,
  sendTo: ['Green Country', '1200 Salvage Rd, Tulsa, OK 74103'],
  sentences: { buyer: 'What the buyer does next.', seller: 'What the yard does next.' },
})

function mailsOf(occasion: string) {
  const kind = occasion === 'core' || occasion === 'reminder' ? 'core' : 'return'
  const { buyer, seller } = returnLetters(occasion, mailed(kind)) ?? {}
  return {
    buyer: buyer && letterToBuyer(buyer, order, { link: 'https://parts.example/orders#token' }, site),
    seller:
      seller &&
      letterToSeller(seller, order, { to: 'yard@yard.example', link: 'https://parts.example/o' }, site),
  }
}

const bare = (subject = '') => subject.replace(/: 2014.*/, '').replace('Green Country: ', '')

test('docs/mails.md lists every occasion, to whom it goes, and its subject', () => {
  const rows = [...readFileSync('docs/mails.md', 'utf8').matchAll(/^\| \*([\w-]+)\* \|(.+)\|$/gm)].map(
    ([, occasion = '', cells = '']) => [occasion, ...cells.split('|').map((cell) => cell.trim())],
  )
  expect(rows.map(([occasion]) => occasion).toSorted()).toEqual(returnMailOccasions.toSorted())
  for (const [occasion = '', , buyer, seller] of rows) {
    const mails = mailsOf(occasion)
    expect([occasion, buyer, seller]).toEqual([
      occasion,
      bare(mails.buyer?.subject),
      bare(mails.seller?.subject),
    ])
  }
})

test('the buyer reads what to do, the yard’s words as a quotation, and where to send the part', () => {
  expect(mailsOf('decline').buyer?.body).toContain('Green Country wrote:')
  const body = mailsOf('approve').buyer?.body ?? ''
  expect(body).toContain('What the buyer does next.')
  expect(body).toContain('Send it to:\nGreen Country\n1200 Salvage Rd, Tulsa, OK 74103')
})

test('no subject is longer than a mail server takes', () => {
  for (const occasion of returnMailOccasions) {
    for (const mail of Object.values(mailsOf(occasion))) expect(mail?.subject.length ?? 0).toBeLessThan(121)
  }
})

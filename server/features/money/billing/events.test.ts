import { expect, test } from 'vitest'
import { eventSubject } from './events.ts'
import type { ProviderEvent } from './provider.ts'

const customer = 'cus_1'
const rows: [type: string, Partial<ProviderEvent>, subject: string | null][] = [
  ['customer.subscription.created', { object: { id: 'sub_1', customer } }, customer],
  ['customer.subscription.deleted', { object: { id: 'sub_1', customer: { id: customer } } }, customer],
  ['checkout.session.completed', { object: { id: 'cs_1', customer } }, customer],
  ['checkout.session.expired', { object: { id: 'cs_1', customer: null } }, null],
  ['invoice.payment_failed', { object: { id: 'in_1', customer } }, customer],
  ['invoice.paid', { object: {} }, null],
  ['customer.deleted', { object: { id: customer } }, customer],
  ['account.updated', { object: { id: 'acct_1' } }, 'acct_1'],
  ['account.updated', { account: 'acct_1', object: { id: 'acct_1' } }, 'acct_1'],
  ['capability.updated', { account: 'acct_1', object: { id: 'transfers' } }, 'acct_1'],
  ['customer.created', { object: { id: customer } }, null],
  ['product.updated', { object: { id: 'prod_1' } }, null],
  ['invoice.paid', { object: { customer: 7 } }, null],
]

test.each(rows)('%s %o', (type, event, subject) => {
  expect(eventSubject({ id: 'evt_1', type, account: undefined, signedBy: '', object: {}, ...event })).toBe(
    subject,
  )
})

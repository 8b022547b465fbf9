import { newId } from './stripe-id.ts'
import type { Customer, Metadata } from './stripe-objects.ts'

export type CustomerDetails = {
  readonly email?: string | undefined
  readonly name?: string | undefined
  readonly phone?: string | undefined
  readonly description?: string | undefined
  readonly metadata?: Metadata | undefined
  /** What pays when nothing else is named. */
  readonly paymentMethod?: string | undefined
}

export function newCustomer(details: CustomerDetails, now: number): Customer {
  const id = newId('cus')
  return {
    id,
    object: 'customer',
    address: null,
    balance: 0,
    created: now,
    currency: null,
    customer_account: null,
    default_source: null,
    delinquent: false,
    description: details.description ?? null,
    discount: null,
    email: details.email ?? null,
    invoice_prefix: id.slice(-8).toUpperCase(),
    invoice_settings: {
      custom_fields: null,
      default_payment_method: details.paymentMethod ?? null,
      footer: null,
      rendering_options: null,
    },
    livemode: false,
    metadata: details.metadata ?? {},
    name: details.name ?? null,
    next_invoice_sequence: 1,
    phone: details.phone ?? null,
    preferred_locales: [],
    shipping: null,
    tax_exempt: 'none',
    test_clock: null,
  }
}

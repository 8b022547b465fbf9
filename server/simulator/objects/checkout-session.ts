import { newId } from './stripe-id.ts'
import type { CheckoutSession, Customer, LineItem, List, Metadata, Price } from './stripe-objects.ts'

export type Checkout = {
  readonly customer: Customer | undefined
  readonly customerEmail: string | undefined
  readonly price: Price
  readonly quantity: number
  readonly successUrl: string
  readonly cancelUrl: string | undefined
  readonly clientReferenceId: string | undefined
  readonly metadata: Metadata
  readonly subscriptionMetadata: Metadata
  readonly expiresAt: number
}

/** What a plain checkout of one plan makes no use of. */
const UNUSED = {
  adaptive_pricing: null,
  after_expiration: null,
  allow_promotion_codes: null,
  allowed_payment_method_types: null,
  automatic_tax: { enabled: false, liability: null, provider: null, status: null },
  billing_address_collection: null,
  client_secret: null,
  collected_information: null,
  consent: null,
  consent_collection: null,
  currency_conversion: null,
  custom_fields: [],
  customer_account: null,
  discounts: [],
  integration_identifier: null,
  invoice_creation: null,
  livemode: false,
  locale: null,
  managed_payments: null,
  origin_context: null,
  payment_intent: null,
  payment_link: null,
  payment_method_collection: 'always',
  payment_method_configuration_details: null,
  payment_method_options: null,
  permissions: null,
  phone_number_collection: { enabled: false },
  recovered_from: null,
  saved_payment_method_options: null,
  setup_intent: null,
  shipping_address_collection: null,
  shipping_cost: null,
  shipping_options: [],
  submit_type: null,
  total_details: { amount_discount: 0, amount_shipping: 0, amount_tax: 0 },
  wallet_options: null,
} satisfies Partial<CheckoutSession>

/** An open session to subscribe; the address of its page is filled in by whoever makes the page. */
export function newCheckoutSession(checkout: Checkout, now: number): CheckoutSession {
  const total = (checkout.price.unit_amount ?? 0) * checkout.quantity
  const id = newId('cs_test')
  const email = checkout.customer?.email ?? checkout.customerEmail ?? null
  return {
    id,
    object: 'checkout.session',
    ...UNUSED,
    amount_subtotal: total,
    amount_total: total,
    cancel_url: checkout.cancelUrl ?? null,
    client_reference_id: checkout.clientReferenceId ?? null,
    created: now,
    currency: checkout.price.currency,
    custom_text: {
      after_submit: null,
      shipping_address: null,
      submit: null,
      terms_of_service_acceptance: null,
    },
    customer: checkout.customer?.id ?? null,
    customer_creation: checkout.customer ? null : 'always',
    customer_details: email === null ? null : detailsOf(email, checkout.customer),
    customer_email: checkout.customerEmail ?? null,
    expires_at: checkout.expiresAt,
    invoice: null,
    line_items: lineItems(id, checkout),
    metadata: checkout.metadata,
    mode: 'subscription',
    payment_method_types: ['card'],
    payment_status: 'unpaid',
    status: 'open',
    subscription: null,
    subscription_metadata: checkout.subscriptionMetadata,
    success_url: checkout.successUrl,
    ui_mode: 'hosted_page',
    url: null,
  }
}

function detailsOf(email: string, customer: Customer | undefined): CheckoutSession['customer_details'] {
  return {
    address: null,
    business_name: null,
    email,
    individual_name: null,
    name: customer?.name ?? null,
    phone: null,
    tax_exempt: 'none',
    tax_ids: null,
  }
}

function lineItems(session: string, checkout: Checkout): List<LineItem> {
  const { price, quantity } = checkout
  const total = (price.unit_amount ?? 0) * quantity
  const item: LineItem = {
    id: newId('li'),
    object: 'item',
    adjustable_quantity: null,
    amount_discount: 0,
    amount_subtotal: total,
    amount_tax: 0,
    amount_total: total,
    currency: price.currency,
    description: null,
    metadata: {},
    price,
    quantity,
  }
  return { object: 'list', data: [item], has_more: false, url: `/v1/checkout/sessions/${session}/line_items` }
}

/** What the session sells. */
export function soldIn(session: CheckoutSession): { price: Price; quantity: number } {
  const [item] = session.line_items?.data ?? []
  if (!item) throw new Error(`${session.id} sells nothing`)
  return { price: item.price, quantity: item.quantity ?? 1 }
}

/** As events and most answers show it: line items are given to whoever asks for them with `expand` alone. */
export function asShown(session: CheckoutSession): CheckoutSession {
  const { line_items: _items, subscription_metadata: _metadata, ...shown } = session
  return shown
}

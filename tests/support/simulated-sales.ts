import type Stripe from 'stripe'
import type { TestSimulator } from './simulator.ts'

export type SaleChoices = {
  readonly cents?: number
  readonly session?: Partial<Stripe.Checkout.SessionCreateParams>
  readonly intent?: Partial<Stripe.Checkout.SessionCreateParams.PaymentIntentData>
}

/** A session for one part, to be authorized first. */
export function openSale(
  stripe: Stripe,
  { cents = 11_500, session = {}, intent = {} }: SaleChoices = {},
): Promise<Stripe.Checkout.Session> {
  return stripe.checkout.sessions.create({
    mode: 'payment',
    line_items: [
      {
        price_data: { currency: 'usd', unit_amount: cents, product_data: { name: 'Alternator, used' } },
        quantity: 1,
      },
    ],
    payment_intent_data: {
      capture_method: 'manual',
      transfer_group: 'order_7',
      statement_descriptor_suffix: 'GREEN CTY',
      ...intent,
    },
    success_url: 'https://parts.example/done?session_id={CHECKOUT_SESSION_ID}',
    cancel_url: 'https://parts.example/cancel',
    customer_email: 'buyer@parts.example',
    ...session,
  })
}

/** Presses a button of the payment page and returns where it leads. */
export async function press(session: { url: string | null }, action: string): Promise<string | null> {
  const reply = await fetch(`${session.url}/${action}`, { method: 'POST', redirect: 'manual' })
  if (reply.status !== 303) throw new Error(`${action} got ${reply.status}: ${await reply.text()}`)
  return reply.headers.get('location')
}

/** Opens and pays a sale; returns its PaymentIntent with the charge. */
export async function sell(
  stripe: Stripe,
  choices: SaleChoices = {},
): Promise<{ intent: Stripe.PaymentIntent; charge: Stripe.Charge }> {
  const opened = await openSale(stripe, choices)
  await press(opened, 'pay')
  return read(stripe, opened.id)
}

/** The PaymentIntent of a session and its latest charge. */
export async function read(
  stripe: Stripe,
  session: string,
): Promise<{ intent: Stripe.PaymentIntent; charge: Stripe.Charge }> {
  const { payment_intent: intent } = await stripe.checkout.sessions.retrieve(session, {
    expand: ['payment_intent.latest_charge'],
  })
  if (intent === null || typeof intent === 'string') throw new Error(`${session} has no payment`)
  return { intent, charge: intent.latest_charge as Stripe.Charge }
}

/** A sale whose money is taken at once and has entered the balance. */
export async function takeMoney(
  simulator: TestSimulator,
  stripe: Stripe,
  choices: SaleChoices = {},
): Promise<{ intent: Stripe.PaymentIntent; charge: Stripe.Charge; transaction: Stripe.BalanceTransaction }> {
  const intent = { capture_method: 'automatic', ...choices.intent } as const
  const sold = await sell(stripe, { ...choices, intent })
  for (let tries = 0; tries < 200; tries += 1) {
    const charge = await stripe.charges.retrieve(sold.charge.id, { expand: ['balance_transaction'] })
    if (charge.balance_transaction !== null) {
      return { ...sold, charge, transaction: charge.balance_transaction as Stripe.BalanceTransaction }
    }
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
  throw new Error(`${sold.charge.id} at ${simulator.url} stays without its balance transaction`)
}

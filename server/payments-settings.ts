import { check, choice, origin } from '#server/platform/setting.ts'

/** How to reach the payment provider. */
type Provider = {
  readonly secretKey: string
  /** One, or several separated by commas: the platform's events and those of payout accounts have one each. */
  readonly webhookSecret: string
  /** The price of the Pro plan. */
  readonly proPriceId: string
}

export type Payments =
  | { readonly kind: 'off' }
  | (Provider & { readonly kind: 'stripe' })
  /** Our own test provider, which answers at `url`. */
  | (Provider & { readonly kind: 'simulator'; readonly url: string })

// Known to everyone, like all of the demo: no money can be reached with them, and an event only makes us look again.
const SIMULATOR: Provider = {
  secretKey: 'sk_test_simulator',
  webhookSecret: 'whsec_test_payments',
  proPriceId: 'price_pro_monthly',
}

export const PAYMENT_SETTINGS = {
  PAYMENTS: choice('stripe', 'simulator', 'off'),
  SIMULATOR_URL: origin().default('http://127.0.0.1:12111'),
  STRIPE_SECRET_KEY: check(
    (value) => /^[rs]k_(test|live)_\w+$/.test(value),
    'must be a secret key of Stripe (sk_… or rk_…)',
  ),
  STRIPE_WEBHOOK_SECRET: check(
    (value) => /^whsec_[^\s,]+(,whsec_[^\s,]+)*$/.test(value),
    'must be a signing secret of Stripe (whsec_…), or several separated by commas',
  ),
  STRIPE_PRO_PRICE_ID: check((value) => /^price_\w+$/.test(value), 'must be a price of Stripe (price_…)'),
}

type Given = {
  PAYMENTS?: Payments['kind'] | undefined
  SIMULATOR_URL: string
  STRIPE_SECRET_KEY?: string | undefined
  STRIPE_WEBHOOK_SECRET?: string | undefined
  STRIPE_PRO_PRICE_ID?: string | undefined
}

/** Without a key: the simulator in the demo, nothing in production. */
export function readPayments(set: Given, mode: 'demo' | 'production'): Payments {
  const withoutKey = mode === 'demo' ? 'simulator' : 'off'
  const kind = set.PAYMENTS ?? (set.STRIPE_SECRET_KEY ? 'stripe' : withoutKey)
  if (kind === 'off') return { kind }
  if (kind === 'simulator') return { kind, url: set.SIMULATOR_URL, ...SIMULATOR }
  return {
    kind,
    secretKey: set.STRIPE_SECRET_KEY ?? '',
    webhookSecret: set.STRIPE_WEBHOOK_SECRET ?? '',
    proPriceId: set.STRIPE_PRO_PRICE_ID ?? '',
  }
}

/** What a process that shall run with these payments has to be told beside its own environment. */
export function paymentSettingsOf(payments: Payments): Record<string, string> {
  return {
    PAYMENTS: payments.kind,
    ...(payments.kind === 'simulator' && { SIMULATOR_URL: payments.url }),
  }
}

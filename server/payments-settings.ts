import { check, choice, origin, text } from '#server/platform/setting.ts'

/** Credentials of the payment provider. */
type Provider = {
  readonly secretKey: string
  /** One or more, separated by commas: platform events and payout-account events have separate secrets. */
  readonly webhookSecret: string
  /** The price of the Pro plan. */
  readonly proPriceId: string
  /** Earlier prices of Pro; their subscribers still have Pro. */
  readonly formerPriceIds: readonly string[]
}

export type Payments =
  | { readonly kind: 'off' }
  | (Provider & { readonly kind: 'stripe' })
  /** Our own test provider, listening at `url`. */
  | (Provider & { readonly kind: 'simulator'; readonly url: string })

// Public like the rest of the demo: they give no access to money, and a forged event only triggers a refresh.
const SIMULATOR: Provider = {
  secretKey: 'sk_test_simulator',
  webhookSecret: 'whsec_test_payments',
  proPriceId: 'price_pro_monthly',
  formerPriceIds: [],
}

export const PAYMENT_SETTINGS = {
  PAYMENTS: choice('stripe', 'simulator', 'off'),
  SIMULATOR_URL: origin().default('http://127.0.0.1:12111'),
  STRIPE_SECRET_KEY: check(
    (value) => /^[rs]k_(test|live)_\w+$/.test(value),
    'must be a Stripe secret key (sk_… or rk_…)',
  ),
  STRIPE_WEBHOOK_SECRET: check(
    (value) => /^whsec_[^\s,]+(,whsec_[^\s,]+)*$/.test(value),
    'must be a Stripe signing secret (whsec_…), or several separated by commas',
  ),
  STRIPE_PRO_PRICE_ID: check(
    (value) => /^price_\w+(,price_\w+)*$/.test(value),
    'must be a Stripe price ID (price_…), or several separated by commas: the first is sold, the others are former ones',
  ),
  PRO_PRICE_TEXT: text(1, 20).default('$149'),
  STRIPE_TAX: choice('on', 'off').default('off'),
}

type PaymentSettings = {
  PAYMENTS?: Payments['kind'] | undefined
  SIMULATOR_URL: string
  STRIPE_SECRET_KEY?: string | undefined
  STRIPE_WEBHOOK_SECRET?: string | undefined
  STRIPE_PRO_PRICE_ID?: string | undefined
}

/** Without a key, demo mode uses the simulator and production turns payments off. */
export function readPayments(set: PaymentSettings, mode: 'demo' | 'production'): Payments {
  const withoutKey = mode === 'demo' ? 'simulator' : 'off'
  const kind = set.PAYMENTS ?? (set.STRIPE_SECRET_KEY ? 'stripe' : withoutKey)
  if (kind === 'off') return { kind }
  if (kind === 'simulator') return { kind, url: set.SIMULATOR_URL, ...SIMULATOR }
  const [proPriceId = '', ...formerPriceIds] = (set.STRIPE_PRO_PRICE_ID ?? '').split(',')
  return {
    kind,
    secretKey: set.STRIPE_SECRET_KEY ?? '',
    webhookSecret: set.STRIPE_WEBHOOK_SECRET ?? '',
    proPriceId,
    formerPriceIds,
  }
}

/** Live keys move real money; every other key is for tests. */
export const isLiveKey = (secretKey: string): boolean => /^[rs]k_live_/.test(secretKey)

/** The environment variables that give a child process the same payments. */
export function paymentSettingsOf(payments: Payments): Record<string, string> {
  return {
    PAYMENTS: payments.kind,
    ...(payments.kind === 'simulator' && { SIMULATOR_URL: payments.url }),
  }
}

import type { Plan, Price, Product } from './stripe-objects.ts'

/** One thing that can be subscribed to. */
export type PriceSetting = {
  readonly id: string
  readonly productName: string
  /** In minor units. */
  readonly unitAmount: number
  readonly currency: string
  readonly interval: 'month' | 'year'
}

/** The prices and products of the platform, which nobody changes through the API. */
export type Catalogue = {
  price(id: string): Price | undefined
  product(id: string): Product | undefined
}

// The catalogue has always been there; a moment that moves would look like a change.
const MADE_AT = Date.UTC(2026, 0, 1) / 1000

export function openCatalogue(settings: readonly PriceSetting[]): Catalogue {
  const prices = new Map(settings.map((setting) => [setting.id, priceOf(setting)]))
  const products = new Map(settings.map((setting) => [productId(setting), productOf(setting)]))
  return { price: (id) => prices.get(id), product: (id) => products.get(id) }
}

const productId = ({ id }: PriceSetting) => id.replace(/^price_/, 'prod_')

function priceOf(setting: PriceSetting): Price {
  return {
    id: setting.id,
    object: 'price',
    active: true,
    billing_scheme: 'per_unit',
    created: MADE_AT,
    currency: setting.currency,
    custom_unit_amount: null,
    livemode: false,
    lookup_key: null,
    metadata: {},
    nickname: null,
    product: productId(setting),
    recurring: {
      interval: setting.interval,
      interval_count: 1,
      meter: null,
      trial_period_days: null,
      usage_type: 'licensed',
    },
    tax_behavior: 'unspecified',
    tiers_mode: null,
    transform_quantity: null,
    type: 'recurring',
    unit_amount: setting.unitAmount,
    unit_amount_decimal: String(setting.unitAmount),
  }
}

function productOf(setting: PriceSetting): Product {
  return {
    id: productId(setting),
    object: 'product',
    active: true,
    created: MADE_AT,
    default_price: setting.id,
    description: null,
    images: [],
    livemode: false,
    marketing_features: [],
    metadata: {},
    name: setting.productName,
    package_dimensions: null,
    shippable: null,
    statement_descriptor: null,
    tax_code: null,
    tax_details: null,
    type: 'service',
    unit_label: null,
    updated: MADE_AT,
    url: null,
  }
}

/** The same price in the words of the older API, which subscription items still carry. */
export function planOf(price: Price): Plan {
  return {
    id: price.id,
    object: 'plan',
    active: price.active,
    amount: price.unit_amount,
    amount_decimal: price.unit_amount_decimal,
    billing_scheme: 'per_unit',
    created: price.created,
    currency: price.currency,
    interval: price.recurring?.interval ?? 'month',
    interval_count: 1,
    livemode: false,
    metadata: {},
    meter: null,
    nickname: null,
    product: typeof price.product === 'string' ? price.product : price.product.id,
    tiers_mode: null,
    transform_usage: null,
    trial_period_days: null,
    usage_type: 'licensed',
  }
}

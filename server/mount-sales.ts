import type { FastifyInstance } from 'fastify'
import { billingEndpoints } from '#contract/account/billing.ts'
import { disputeEndpoints } from '#contract/order/disputes/dispute-calls.ts'
import { bookEndpoints } from '#contract/order/money/book-calls.ts'
import { releaseEndpoints } from '#contract/order/money/release-views.ts'
import { orderEndpoints } from '#contract/order/order-calls.ts'
import { returnEndpoints } from '#contract/order/returns/return-calls.ts'
import { reviewEndpoints } from '#contract/order/review-calls.ts'
import { shippingEndpoints } from '#contract/order/shipping/shipping-list.ts'
import type { LetGo } from '#server/features/market/listings/ordered-parts.ts'
import type { StripeClient } from '#server/features/money/billing/provider.ts'
import { billingRoutes, serveStripeWebhook } from '#server/features/money/billing/routes.ts'
import { bookRoutes } from '#server/features/money/orders/books/book-routes.ts'
import { disputeRoutes } from '#server/features/money/orders/disputes/dispute-routes.ts'
import { letGoOfParts } from '#server/features/money/orders/let-go.ts'
import { paperRoutes } from '#server/features/money/orders/papers/paper-routes.ts'
import { releaseRoutes } from '#server/features/money/orders/release/release-routes.ts'
import { returnRoutes } from '#server/features/money/orders/returns/return-routes.ts'
import { reviewRoutes } from '#server/features/money/orders/reviews/review-routes.ts'
import { orderRoutes, performNow } from '#server/features/money/orders/routes.ts'
import { shippingRoutes } from '#server/features/money/orders/shipping/shipping-routes.ts'
import type { Database } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Log } from '#server/platform/log.ts'
import type { Config } from './config.ts'
import { openStripeClient } from './features/money/billing/stripe/stripe-client.ts'

type SalesDeps = { config: Config; database: Database; log: Log; now: () => Date }

const openStripe = ({ payments }: Config): StripeClient | undefined =>
  payments.kind === 'off' ? undefined : openStripeClient(payments)

/** Mounts what calls the payment provider: plans, payouts and orders, and its events. */
export async function mountSales(
  app: FastifyInstance,
  { config, database: { db }, files, log, now }: SalesDeps & { files: FileStore },
  mountDeps: Parameters<typeof mount>[3],
): Promise<void> {
  const { proPriceText: priceText, publicUrl } = config
  const stripe = openStripe(config)
  mount(app, billingEndpoints, billingRoutes({ db, stripe, priceText, publicUrl, log }), mountDeps)
  const isOn = config.orders && stripe !== undefined
  const orders = { stripe, isOn, isTaxed: config.salesTax, site: config, files, now }
  const { readCoreSlip, ...papers } = paperRoutes(orders)
  mount(app, orderEndpoints, { ...orderRoutes(orders), ...papers }, mountDeps)
  mount(app, shippingEndpoints, shippingRoutes(orders), mountDeps)
  mount(app, releaseEndpoints, releaseRoutes({ now }), mountDeps)
  mount(app, disputeEndpoints, disputeRoutes({ ...orders, log }), mountDeps)
  mount(app, bookEndpoints, bookRoutes(orders), mountDeps)
  mount(app, reviewEndpoints, reviewRoutes(orders), mountDeps)
  const returns = returnRoutes({
    ...orders,
    log,
    performNow: (db, order) => performNow(orders, db, order),
  })
  mount(app, returnEndpoints, { ...returns, readCoreSlip }, mountDeps)
  if (stripe) await serveStripeWebhook(app, { db, stripe })
}

// A person waits.
const LET_GO_MS = 9_000

/** Undefined while payments are off: then orders stay as they are, and so do their parts. */
export function openLetGo({ config, database: { db }, now }: SalesDeps): LetGo | undefined {
  const stripe = openStripe(config)
  if (!stripe) return undefined
  const deps = { db, site: config, now, calls: () => stripe.within(LET_GO_MS) }
  return (listingIds, by) => letGoOfParts(deps, listingIds, by)
}

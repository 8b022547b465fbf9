import type { FastifyInstance } from 'fastify'
import { billingEndpoints } from '#contract/account/billing.ts'
import { orderEndpoints } from '#contract/order-calls.ts'
import { billingRoutes, serveStripeWebhook } from '#server/features/billing/routes.ts'
import { openStripeClient } from '#server/features/billing/stripe-client.ts'
import { paperRoutes } from '#server/features/orders/papers/paper-routes.ts'
import { getSellerOrder, orderRoutes } from '#server/features/orders/routes.ts'
import type { Database } from '#server/platform/database/database.ts'
import { mount } from '#server/platform/http/mount.ts'
import type { Log } from '#server/platform/log.ts'
import type { Config } from './config.ts'

type SalesDeps = { config: Config; database: Database; log: Log; now: () => Date }

/** Mounts what calls the payment provider: plans, payouts and orders, and its events. */
export async function mountSales(
  app: FastifyInstance,
  { config, database: { db }, log, now }: SalesDeps,
  mountDeps: Parameters<typeof mount>[3],
): Promise<void> {
  const { payments, proPriceText: priceText, publicUrl } = config
  const stripe = payments.kind === 'off' ? undefined : openStripeClient(payments)
  mount(app, billingEndpoints, billingRoutes({ db, stripe, priceText, publicUrl, log }), mountDeps)
  const isOn = config.orders && stripe !== undefined
  const orders = { stripe, isOn, site: config, now }
  const papers = paperRoutes({ ...orders, getSellerOrder })
  mount(app, orderEndpoints, { ...orderRoutes(orders), ...papers }, mountDeps)
  if (stripe) await serveStripeWebhook(app, { db, stripe })
}

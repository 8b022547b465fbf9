import type { disputeEndpoints } from '#contract/order/disputes/dispute-calls.ts'
import { ProviderFailure, type StripeClient } from '#server/features/money/billing/provider.ts'
import { type PerformDeps, performSteps } from '#server/features/money/orders/money/provider-steps.ts'
import { getSellerOrder } from '#server/features/money/orders/order-lists.ts'
import { findOrderById, type Order, orderNotFound } from '#server/features/money/orders/orders.ts'
import { showToSeller } from '#server/features/money/orders/show-order.ts'
import { auditActorOf } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import type { Log } from '#server/platform/log.ts'
import { answerDispute } from './disputes.ts'
import { saveEvidence, showDispute, wantSubmission } from './evidence.ts'
import { openEvidencePhoto } from './evidence-photos.ts'

// A person waits; the job does what is left.
const CLICK_MS = 9_000

type Deps = Pick<PerformDeps, 'files' | 'site' | 'now'> & { stripe: StripeClient | undefined; log: Log }

export function disputeRoutes({ stripe, files, site, now, log }: Deps): Handlers<typeof disputeEndpoints> {
  const getOrder = async (db: Db, id: string): Promise<Order> => {
    const found = await findOrderById(db, id)
    if (!found) throw orderNotFound()
    return found
  }
  return {
    async answerDispute({ db, actor, params, body }) {
      const { id } = await getSellerOrder(db, actor, params.id)
      const answer = { orderId: id, userId: actor.userId, ...(await body()) }
      const order = await answerDispute(db, answer, { site, now })
      const [shown] = await showToSeller(db, [order], now())
      if (!shown) throw orderNotFound()
      return shown
    },

    readDispute: async ({ db, params }) => showDispute(db, await getOrder(db, params.id), now()),

    readEvidencePhoto: async ({ db, params: { id, photoId } }) =>
      openEvidencePhoto(db, files, { order: await getOrder(db, id), photoId, log }),

    async saveEvidence(request) {
      const { db, params } = request
      const order = await getOrder(db, params.id)
      const { evidence, photoIds } = await request.body()
      await saveEvidence(db, { orderId: order.id, evidence, photoIds, by: auditActorOf(request) })
      return showDispute(db, order, now())
    },

    async submitEvidence(request) {
      const { db, params } = request
      const order = await getOrder(db, params.id)
      const { evidence, photoIds } = await request.body()
      await wantSubmission(db, { orderId: order.id, evidence, photoIds, by: auditActorOf(request) })
      if (stripe) {
        await performSteps({ db, files, site, now }, order.id, stripe.within(CLICK_MS)).catch(
          (error: unknown) => {
            if (!(error instanceof ProviderFailure)) throw error
          },
        )
      }
      return showDispute(db, await getOrder(db, order.id), now())
    },
  }
}

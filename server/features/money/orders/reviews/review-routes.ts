import type { reviewEndpoints } from '#contract/order/review-calls.ts'
import type { OrderSite } from '#server/features/money/orders/letters/telling.ts'
import { getBuyerOrder } from '#server/features/money/orders/order-links.ts'
import { orderNotFound } from '#server/features/money/orders/orders.ts'
import { showToBuyer } from '#server/features/money/orders/show-order.ts'
import { refuseLinks } from '#server/features/talk/leads/policy.ts'
import { auditActorOf } from '#server/platform/database/audit.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import {
  decideReview,
  listReportedReviews,
  reportReview,
  requireReportable,
  requireReview,
} from './review-reports.ts'
import { answerReview, getOwnReview, listOwnReviews, reviewOrder } from './reviews.ts'
import { readRecord } from './track-records.ts'

type Deps = { now: () => Date; site: OrderSite }

export function reviewRoutes(deps: Deps): Handlers<typeof reviewEndpoints> {
  const { now } = deps
  return {
    async reviewOrder({ db, actor, body }) {
      const { stars, text, ...key } = await body()
      const { id } = await getBuyerOrder(db, key, { actor, now: now() })
      refuseLinks({ text }, { actor, now: now() })
      const order = await reviewOrder(db, { orderId: id, stars, text }, deps)
      const [shown] = await showToBuyer(db, [order])
      if (!shown) throw orderNotFound()
      return shown
    },

    async reportReview({ db, actor, params, ip, body }) {
      await requireReportable(db, params.id, actor)
      const { reason, text } = await body()
      return async (trx) => {
        await reportReview(trx, { reviewId: params.id, reason, text, actor, ip, now: now() })
        return { ok: true }
      }
    },

    async listReviews({ db, actor, query }) {
      const [{ items, total }, { record, ...figures }] = await Promise.all([
        listOwnReviews(db, actor.sellerId, query),
        readRecord(db, actor.sellerId),
      ])
      const { page, perPage } = query
      return { items, total, page, perPage, figures: { ...figures, ...record } }
    },

    async answerReview({ db, actor, params, body }) {
      await getOwnReview(db, actor.sellerId, params.id)
      const { answer } = await body()
      refuseLinks({ answer }, { actor, now: now() })
      return answerReview(db, { sellerId: actor.sellerId, id: params.id, answer }, now())
    },

    async listReportedReviews({ db, query }) {
      const { page, perPage } = query
      return { ...(await listReportedReviews(db, query)), page, perPage }
    },

    async decideReview(request) {
      await requireReview(request.db, request.params.id)
      const { decision, note } = await request.body()
      const by = auditActorOf(request)
      await decideReview(request.db, { id: request.params.id, decision, note, by, now: now() })
      return { ok: true }
    },
  }
}

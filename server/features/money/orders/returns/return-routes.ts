import type { returnEndpoints } from '#contract/order/returns/return-calls.ts'
import { storePicture } from '#server/features/market/pictures/store-picture.ts'
import { getBuyerOrder } from '#server/features/money/orders/order-links.ts'
import { getSellerOrder } from '#server/features/money/orders/order-lists.ts'
import { findOrderById, type Order, orderNotFound } from '#server/features/money/orders/orders.ts'
import { showToAdmin, showToBuyer, showToSeller } from '#server/features/money/orders/show-order.ts'
import type { Actor } from '#server/platform/actor.ts'
import { auditActorOf } from '#server/platform/database/audit.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import type { Log } from '#server/platform/log.ts'
import { addPhoto, openPhoto } from './return-photos.ts'
import { answerReturn, askReturn, changeReturn, decideReturn } from './returns.ts'
import type { ReturnDeps } from './settlement.ts'

export type ReturnRouteDeps = ReturnDeps & {
  files: FileStore
  log: Log
  /** Does at once what was just asked of the provider. */
  performNow: (db: Db, order: Order) => Promise<Order>
}

type Routes = Omit<Handlers<typeof returnEndpoints>, 'readCoreSlip'>

const only = <T>([shown]: readonly T[]): T => {
  if (shown === undefined) throw orderNotFound()
  return shown
}

export function returnRoutes(deps: ReturnRouteDeps): Routes {
  return { ...buyerRoutes(deps), ...sellerRoutes(deps), ...adminRoutes(deps) }
}

type BuyerRoutes = Pick<Routes, 'addReturnPhoto' | 'readReturnPhoto' | 'askReturn' | 'changeReturn'>

function buyerRoutes({ files, log, ...deps }: ReturnRouteDeps): BuyerRoutes {
  const buyerOf = (actor: Actor | undefined) => ({ side: 'buyer' as const, userId: actor?.userId })

  return {
    async addReturnPhoto(request) {
      const { db, actor } = request
      const now = deps.now()
      const { id } = await getBuyerOrder(db, await request.body(), { actor, now })
      const file = await request.file()
      if (!file) throw noPhoto()
      const stored = await storePicture(files, file.bytes)
      return (trx) => addPhoto(trx, { orderId: id, side: 'buyer', stored, now })
    },

    async readReturnPhoto({ db, actor, body }) {
      const { photoId, ...key } = await body()
      const { id } = await getBuyerOrder(db, key, { actor, now: deps.now() })
      return openPhoto(db, files, { orderId: id, photoId, reader: 'buyer', log })
    },

    async askReturn({ db, actor, body }) {
      const { token, id: orderId, kind, reason, lines, text, photoIds } = await body()
      const { id } = await getBuyerOrder(db, { token, id: orderId }, { actor, now: deps.now() })
      // The schema refuses a request without one.
      if (reason === undefined) throw new Error('a return has a reason')
      const asking = { orderId: id, by: buyerOf(actor), kind, reason, listingIds: lines, text, photoIds }
      return only(await showToBuyer(db, [await askReturn(db, asking, deps)], deps.now()))
    },

    async changeReturn({ db, actor, body }) {
      const { token, id: orderId, ...change } = await body()
      const { id } = await getBuyerOrder(db, { token, id: orderId }, { actor, now: deps.now() })
      const changed = await changeReturn(db, { orderId: id, by: buyerOf(actor), ...change }, deps)
      return only(await showToBuyer(db, [changed], deps.now()))
    },
  }
}

function noPhoto(): AppError {
  const sentence = 'Choose a photo to add.'
  return new AppError('VALIDATION_FAILED', sentence, { fields: { image: sentence } })
}

type SellerRoutes = Pick<Routes, 'addSellerPhoto' | 'answerReturn' | 'readSellerReturnPhoto'>

function sellerRoutes({ files, log, performNow, ...deps }: ReturnRouteDeps): SellerRoutes {
  return {
    async addSellerPhoto(request) {
      const { db, actor, params } = request
      const { id } = await getSellerOrder(db, actor, params.id)
      const file = await request.file()
      if (!file) throw noPhoto()
      const stored = await storePicture(files, file.bytes)
      return (trx) => addPhoto(trx, { orderId: id, side: 'seller', stored, now: deps.now() })
    },

    async answerReturn({ db, actor, params, body }) {
      const { id } = await getSellerOrder(db, actor, params.id)
      const by = { side: 'seller' as const, userId: actor.userId }
      const answered = { orderId: id, returnId: params.returnId, by, ...(await body()) }
      const order = await performNow(db, await answerReturn(db, answered, deps))
      return only(await showToSeller(db, [order], deps.now()))
    },

    async readSellerReturnPhoto({ db, actor, params: { id, photoId } }) {
      const order = await getSellerOrder(db, actor, id)
      return openPhoto(db, files, { orderId: order.id, photoId, reader: 'seller', log })
    },
  }
}

type AdminRoutes = Pick<Routes, 'decideReturn' | 'readAnyReturnPhoto'>

function adminRoutes({ files, log, performNow, ...deps }: ReturnRouteDeps): AdminRoutes {
  const find = async (db: Db, id: string): Promise<Order> => {
    const found = await findOrderById(db, id)
    if (!found) throw orderNotFound()
    return found
  }

  return {
    async decideReturn(request) {
      const { db, actor, params } = request
      const { id } = await find(db, params.id)
      const { decision, amount, reason } = await request.body()
      const by = { side: 'admin' as const, userId: actor.userId }
      const amountCents = amount === undefined ? undefined : Math.round(amount * 100)
      const audit = auditActorOf(request)
      const made = { orderId: id, returnId: params.returnId, by, decision, amountCents, reason, audit }
      const decided = await performNow(db, await decideReturn(db, made, deps))
      return only(await showToAdmin(db, [decided], { now: deps.now() }))
    },

    async readAnyReturnPhoto({ db, params: { id, photoId } }) {
      const order = await find(db, id)
      return openPhoto(db, files, { orderId: order.id, photoId, reader: 'admin', log })
    },
  }
}

import type { orderEndpoints } from '#contract/order/order-calls.ts'
import type { returnEndpoints } from '#contract/order/returns/return-calls.ts'
import { addressLines } from '#server/features/money/orders/letters/telling.ts'
import { listRefunds, totalOfRefund } from '#server/features/money/orders/money/refund-rows.ts'
import { getBuyerOrder, isPutAway } from '#server/features/money/orders/order-links.ts'
import { getSellerOrder } from '#server/features/money/orders/order-lists.ts'
import {
  amountsOf,
  listEvents,
  type Order,
  pricedLines,
  totalCents,
} from '#server/features/money/orders/orders.ts'
import { readSellingYard } from '#server/features/money/orders/quotes.ts'
import {
  isOpenReturn,
  listReturns,
  type ReturnRow,
} from '#server/features/money/orders/returns/return-rows.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { BinaryReply, Handlers } from '#server/platform/http/handler.ts'
import { documentPdf } from './document-pdf.ts'
import type { DocumentKind, OrderDocument } from './documents.ts'

type Deps = {
  site: { productName: string; publicUrl: string }
  now: () => Date
}

type PaperRoutes = Pick<Handlers<typeof orderEndpoints>, 'readPackingSlip' | 'readInvoice'> &
  Pick<Handlers<typeof returnEndpoints>, 'readCoreSlip'>

const fileNames: Readonly<Record<DocumentKind, string>> = {
  slip: 'packing-slip',
  invoice: 'invoice',
  core: 'core-slip',
}

export function paperRoutes({ site, now }: Deps): PaperRoutes {
  const pdf = async (db: Db, kind: DocumentKind, order: Order): Promise<BinaryReply> => ({
    stream: Buffer.from(await documentPdf(kind, await documentOf(db, order, site))),
    headers: {
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="${fileNames[kind]}-${order.number}.pdf"`,
      'cache-control': 'no-store',
    },
  })
  return {
    async readPackingSlip({ db, actor, params }) {
      const order = await getSellerOrder(db, actor, params.id)
      if (!isPutAway(order, now())) return pdf(db, 'slip', order)
      throw new AppError('STATE', 'This order is over for 90 days: its buyer’s address is no longer shown.')
    },
    readInvoice: async ({ db, actor, body }) =>
      pdf(db, 'invoice', await getBuyerOrder(db, await body(), { actor, now: now() })),
    async readCoreSlip({ db, actor, body }) {
      const order = await getBuyerOrder(db, await body(), { actor, now: now() })
      if (order.coreState === 'open') return pdf(db, 'core', order)
      throw new AppError('STATE', 'No old part is to come back for this order.')
    },
  }
}

/** Of several parts, the days of the one that is due first. */
function leastCoreDays(order: Order): number | null {
  const days = pricedLines(order).flatMap(({ facts, coreCents }) =>
    coreCents > 0 ? (facts.coreDays ?? []) : [],
  )
  return days.length === 0 ? null : Math.min(...days)
}

function coreOf(
  { id, coreBy }: Order,
  returns: readonly ReturnRow[],
  { publicUrl }: Deps['site'],
): OrderDocument['core'] {
  const core = returns.find((row) => row.kind === 'core' && isOpenReturn(row))
  return core && coreBy
    ? { url: `${publicUrl}/dashboard/seller/orders/${id}?core=${core.id}`, by: coreBy }
    : null
}

async function documentOf(db: Db, order: Order, site: Deps['site']): Promise<OrderDocument> {
  const [yard, refunds, events, returns] = await Promise.all([
    readSellingYard(db, order.sellerId),
    listRefunds(db, [order.id]),
    listEvents(db, [order.id]),
    listReturns(db, [order.id]),
  ])
  const paid = (events.get(order.id) ?? []).find(({ kind }) => kind === 'capture' || kind === 'take')
  // Before it is confirmed the yard packs nothing, and does not need to know where it goes.
  const isShown = order.capturedCents > 0
  return {
    number: order.number,
    placedAt: order.createdAt,
    paidAt: paid?.at ?? null,
    shipsBy: order.shipBy,
    timeZone: order.timeZone,
    seller: {
      name: order.sellerName,
      address: [yard.street ?? '', [yard.city, yard.state, yard.zip].filter(Boolean).join(' ')].filter(
        Boolean,
      ),
      phone: yard.phone,
    },
    buyer: { name: isShown ? order.name : '', address: isShown ? addressLines(order).slice(1) : [] },
    delivery: order.delivery,
    vin: order.vin,
    vinConfirmed: order.vinConfirmed,
    parts: pricedLines(order).map(({ quantity, facts, state, priceCents }) => ({
      ...facts,
      quantity,
      cents: order.lines.length > 1 ? priceCents * quantity : undefined,
      isMissing: state === 'not-found' && order.state !== 'not-found',
    })),
    lines: amountsOf(order) ?? [],
    totalCents: totalCents(order) ?? null,
    capturedCents: order.capturedCents,
    refunds: refunds
      .filter(({ state }) => state === 'succeeded')
      .map((row) => ({ at: row.createdAt, cents: totalOfRefund(row) })),
    core: coreOf(order, returns, site),
    state: order.region,
    coreDays: leastCoreDays(order),
    site: { productName: site.productName, publicUrl: site.publicUrl },
  }
}

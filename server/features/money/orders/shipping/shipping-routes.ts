import type { shippingEndpoints } from '#contract/order/shipping/shipping-list.ts'
import type { OrderSite } from '#server/features/money/orders/letters/telling.ts'
import { refuseFile } from '#server/features/stock-files/table/file-bytes.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import { shipByFile, shippingListCsv } from './ship-by-file.ts'
import { readShippingFile } from './shipping-file.ts'

type Deps = { now: () => Date; site: OrderSite }

export function shippingRoutes(deps: Deps): Handlers<typeof shippingEndpoints> {
  return {
    readShippingList: async ({ db, actor }) => ({
      stream: Buffer.from(await shippingListCsv(db, actor.sellerId, deps.now())),
      headers: {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="to-ship-${deps.now().toISOString().slice(0, 10)}.csv"`,
        'cache-control': 'no-store',
      },
    }),

    async shipByFile({ db, actor, query, body, upload }) {
      const chosen = await body()
      const sent = await upload()
      if (!sent) throw refuseFile('Choose the file with your shipped orders.')
      const file = await readShippingFile(sent, chosen)
      const dryRun = query.dryRun === '1'
      if (!dryRun && file.columns.number === undefined)
        throw refuseFile('No column has order numbers. Choose the column.')
      const by = { side: 'seller' as const, userId: actor.userId }
      return shipByFile(db, { file, sellerId: actor.sellerId, by, dryRun }, deps)
    },
  }
}

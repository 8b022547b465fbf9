import { createHash } from 'node:crypto'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import type { NewListingRow } from '#server/features/market/listings/copy-listings.ts'
import type { Db } from '#server/platform/database/database.ts'
import { demoSellers, TOTAL_LISTINGS } from './demo-sellers.ts'
import { demoStock, demoToday, listingRows } from './demo-stock.ts'
import {
  analyzeListings,
  copyDraft,
  countDemoStock,
  draftInPieces,
  listSellerIds,
  lockDemoLoad,
  markDemoStock,
  readLookupIds,
} from './load-demo.ts'

type AddOptions = {
  /** Total number of parts, including the first 5,000. */
  parts: number
  now: Date
  /** Called after every transaction, with the total number of parts and the number added by this call. */
  report: (done: number, added: number) => void
  /** Changes the parts of a transaction before they are written; used by a benchmark. */
  change?: (rows: NewListingRow[]) => NewListingRow[]
}

// A second or less of work, so that a kill loses little, and 20 MB of memory.
const PARTS_A_TRANSACTION = 4_000
const VERSION = createHash('sha256').update('demo stock 1').digest('hex')

/**
 * Adds demo parts up to this total and returns the total. A call after a kill or for more parts continues where the
 * last one ended; a call for fewer does nothing. The demo data must be loaded first.
 */
export async function addDemoParts(
  db: Db,
  { parts, now, report, change = (rows) => rows }: AddOptions,
): Promise<number> {
  const size = parts - TOTAL_LISTINGS
  const sellers = demoSellers()
  const stock = demoStock(
    sellers,
    { vehicles: readVehicles(), partTypes: readPartTypes() },
    { size, today: demoToday(now) },
  )
  const emails = sellers.map(({ email }) => email)
  const [sellerIds, lookups] = await Promise.all([listSellerIds(db, emails), readLookupIds(db)])
  const toRow = listingRows(sellers, sellerIds, lookups, 12)
  const before = await countDemoStock(db)
  let done = before
  while (done < size) {
    const span = { from: done, to: Math.min(done + PARTS_A_TRANSACTION, size) }
    const rows = change(stock(span).map(toRow))
    const draft = await draftInPieces(db, rows)
    done = await withChangeSet(db, { actorKind: 'system', reason: 'add demo parts' }, async (trx) => {
      await lockDemoLoad(trx)
      const known = await countDemoStock(trx)
      // Another process added them first.
      if (known !== span.from) return known
      await copyDraft(trx, draft)
      await markDemoStock(trx, span.to, VERSION)
      return span.to
    })
    report(TOTAL_LISTINGS + done, done - before)
  }
  if (before < done) await analyzeListings(db)
  return TOTAL_LISTINGS + done
}

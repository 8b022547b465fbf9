import { createHash } from 'node:crypto'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { hashPassword } from '#server/features/accounts/passwords.ts'
import { replaceDays } from '#server/features/analytics/figures.ts'
import { withChangeSet } from '#server/features/history/change-sets.ts'
import { insertListings } from '#server/features/listings/write-queries.ts'
import { putPictures } from '#server/features/pictures/picture-queries.ts'
import { type StoredPicture, storePictureWithSizes } from '#server/features/pictures/store-picture.ts'
import type { Db } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { demoAccount } from './demo-account.ts'
import { leadsOfSignIns } from './demo-leads.ts'
import { demoToday } from './demo-moment.ts'
import { openDemoPaymentsQueue } from './demo-queues.ts'
import { type DemoSeller, demoSellers } from './demo-sellers.ts'
import { DEMO_PASSWORD } from './demo-sign-ins.ts'
import { viewsOfSignIns } from './demo-views.ts'
import { demoYards } from './demo-yards.ts'
import { drawPictures } from './draw-pictures.ts'
import { type GeneratedListing, generateListings } from './listing-generator.ts'
import { listingRow } from './listing-row.ts'
import {
  insertDemoAccounts,
  insertLeads,
  insertViews,
  isDemoLoaded,
  listKnownEmails,
  lockDemoLoad,
  markDemoLoaded,
  readLookupIds,
} from './queries.ts'

// Told apart from later versions of the demo data by whoever looks; a loaded database is never loaded again.
const VERSION = createHash('sha256').update('demo data 2').digest('hex')

/**
 * Fills an empty marketplace: three people who can sign in, forty yards, 5,000 listings with pictures, what was looked
 * at and asked. All or nothing in one transaction, so a kill in the middle leaves no half; once only, however often it is
 * called. Answers whether it loaded. The lookups must be there.
 * @throws Refusal where somebody else has one of the demo's e-mail addresses
 */
export async function loadDemo(db: Db, files: FileStore, now: Date): Promise<boolean> {
  if (await isDemoLoaded(db)) return false
  const today = demoToday(now)
  const partTypes = readPartTypes()
  const sellers = demoSellers()
  const [pictures, passwordHash] = await Promise.all([
    storeDrawings(files, [...new Set(partTypes.map(({ group }) => group))]),
    hashPassword(DEMO_PASSWORD),
  ])
  const listings = generateListings(sellers, { vehicles: readVehicles(), partTypes }, today)
  return withChangeSet(db, { actorKind: 'system', reason: 'load demo data' }, async (trx, changeSetId) => {
    await lockDemoLoad(trx)
    if (await isDemoLoaded(trx)) return false
    await refuseKnownEmails(trx, sellers)
    const accounts = sellers.map((seller) => demoAccount(seller, { today, passwordHash }))
    const sellerIds = await insertDemoAccounts(trx, accounts)
    const yards = demoYards(sellers, sellerIds)
    const lookups = await readLookupIds(trx)
    const rows = listings.map((listing) => listingRow(listing, lookups, yards(listing.seller)))
    await insertListings(trx, rows, { changeSetId, source: 'demo data' })
    await putPictures(trx, pictureRows(listings, pictures))
    const views = viewsOfSignIns(listings, today)
    await insertViews(trx, views)
    await insertLeads(trx, leadsOfSignIns(listings, views, today))
    await replaceDays(trx, [...sellerIds.values()])
    await enqueueJob(trx, { queue: openDemoPaymentsQueue, payload: {} })
    await markDemoLoaded(trx, VERSION)
    return true
  })
}

// Two are encoded at once in all of the process; more of ours in that line would only hold memory.
const PICTURES_AT_ONCE = 4

/** Files come before the rows that point at them; if the transaction fails, the sweeper removes them after a day. */
async function storeDrawings(
  files: FileStore,
  groups: readonly string[],
): Promise<Map<string, StoredPicture>> {
  const drawn = [...(await drawPictures(groups))]
  const stored = new Map<string, StoredPicture>()
  for (let from = 0; from < drawn.length; from += PICTURES_AT_ONCE) {
    const next = drawn.slice(from, from + PICTURES_AT_ONCE)
    await Promise.all(
      next.map(async ([group, png]) => stored.set(group, await storePictureWithSizes(files, png))),
    )
  }
  return stored
}

async function refuseKnownEmails(trx: Db, sellers: readonly DemoSeller[]): Promise<void> {
  const known = await listKnownEmails(
    trx,
    sellers.map(({ email }) => email),
  )
  if (known.length === 0) return
  throw new Refusal(
    `The demo data needs ${known.join(', ')}, and somebody registered with it. Use another DATA_DIR, or DEMO_DATA=off.`,
  )
}

function pictureRows(listings: readonly GeneratedListing[], pictures: ReadonlyMap<string, StoredPicture>) {
  return listings.flatMap(({ id, group, hasPicture }) => {
    const stored = pictures.get(group)
    if (!hasPicture || !stored) return []
    return [{ ...stored, listingId: id, position: 0, alt: `Line drawing: ${group}` }]
  })
}

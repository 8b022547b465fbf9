import { createHash } from 'node:crypto'
import { readDrawing, readPartTypes, readVehicles } from '#db/data/read-data.ts'
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
import { leadsOfSignIns, viewsOfSignIns } from './demo-leads.ts'
import { type DemoSeller, demoAccount, demoSellers } from './demo-sellers.ts'
import { DEMO_PASSWORD } from './demo-sign-ins.ts'
import { demoToday, type GeneratedListing, generateListings, listingRows } from './demo-stock.ts'
import { openDemoPaymentsQueue } from './open-demo-payments.ts'
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

// Tells this version of the demo data from later ones; a loaded database is never loaded again.
const VERSION = createHash('sha256').update('demo data 2').digest('hex')

/**
 * Fills an empty marketplace: three people who can sign in, forty yards, 5,000 listings with pictures, views
 * and messages. All or nothing in one transaction, so a kill in the middle leaves no half; once only, however often it is
 * called. Returns whether it loaded. The lookups must be there.
 * @throws Refusal if somebody else has one of the demo's email addresses
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
    const toRow = listingRows(sellers, sellerIds, await readLookupIds(trx))
    await insertListings(trx, listings.map(toRow), { changeSetId, source: 'demo data' })
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

// One and a half times the drawings' own 440 by 370: sharp on cards and on a listing's page. At 900 pixels, which lines
// do not need, encoding all of them would be half of the whole load.
const SIZE = { width: 660, height: 555 } as const

/** Sea and rust of the light theme: pictures look the same in both, as photographs do. */
const INK = { sea: '#0f6e84', rust: '#c2410c' } as const

/**
 * Draws one picture (PNG) for each part group on the soft ground of our cards. Our own SVG is the only one that the
 * program ever reads; the decoder is shut again when this is done, since uploads must never reach it.
 */
async function drawPictures(groups: readonly string[]): Promise<Map<string, Buffer>> {
  const { default: sharp } = await import('sharp')
  const svgDecoder = { operation: ['VipsForeignLoadSvgBuffer'] }
  sharp.unblock(svgDecoder)
  try {
    const draw = async (group: string) => {
      const image = sharp(Buffer.from(onGround(readDrawing(group))), { density: (72 * SIZE.width) / 440 })
      // Encoded once more as WebP when stored, so small matters less than quick.
      return [group, await image.resize(SIZE).png({ compressionLevel: 1 }).toBuffer()] as const
    }
    return new Map(await Promise.all(groups.map(draw)))
  } finally {
    sharp.block(svgDecoder)
  }
}

/** The drawing in our colors, a little smaller than the card, on a gradient from soft sea to paper. */
function onGround(drawing: string): string {
  const inked = drawing
    .replaceAll('var(--drawing-accent, #c2410c)', INK.rust)
    .replaceAll('currentColor', INK.sea)
    .replace('<svg ', '<svg x="26" y="22" width="388" height="326" ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 440 370">
    <linearGradient id="ground" x1="0" y1="0" x2="1" y2="1">
      <stop offset="0" stop-color="#dceef1"/><stop offset="1" stop-color="#f6f5f1"/>
    </linearGradient>
    <rect width="440" height="370" fill="url(#ground)"/>${inked}
  </svg>`
}

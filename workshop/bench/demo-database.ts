import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { fitmentWords, printFitment } from '#contract/listing/fitment.ts'
import { loadTradeWords } from '#server/features/finding/vocabulary/load-words.ts'
import { foldTally } from '#server/features/market/for-sale/tally.ts'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import type { NewListingRow } from '#server/features/market/listings/copy-listings.ts'
import { loadLookups } from '#server/features/market/lookups/load-lookups.ts'
import { tokenHash } from '#server/features/people/accounts/sessions.ts'
import { addDemoParts } from '#server/features/running/demo/add-demo-parts.ts'
import { loadDemo } from '#server/features/running/demo/load-demo.ts'
import { JOB_QUEUES } from '#server/job-queues.ts'
import { type Database, type Db, openDatabase } from '#server/platform/database/database.ts'
import { migrate } from '#server/platform/database/migrations.ts'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres/embedded-postgres.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { prepareJobQueues } from '#server/platform/jobs/deliveries.ts'

/** In every 5,000th listing. */
export const RARE_WORD = 'zebrawood'
/** Only in the oldest 3% of the listings. */
export const OLD_WORD = 'overstock'

export type DemoDatabase = {
  url: string
  dataDir: string
  database: Database
  close(): Promise<void>
}

// Updating 100,000 listings takes longer than any page may.
const STATEMENT_MS = 600_000

/**
 * A throwaway database of demo listings: few yards have most of them, some are sold, some hidden. Where writing is measured
 * too, it is `safe` afterwards: with fsync and full pages in the log, as in an installation. Each fits `fitmentRows` vehicles
 * besides its own.
 */
export async function makeDemoDatabase(
  listings: number,
  { safe = false, fitmentRows = 0 }: { safe?: boolean; fitmentRows?: number } = {},
): Promise<DemoDatabase> {
  const dataDir = await mkdtemp(join(tmpdir(), 'partharbor-lists-'))
  let running = await startDatabase(dataDir, { fast: true })
  const close = async () => {
    await running.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    await fillDemo(running.database, dataDir, { listings, fitmentRows })
    if (safe) {
      await running.stop()
      running = await startDatabase(dataDir, { fast: false })
    }
    return { url: running.url, dataDir, database: running.database, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function startDatabase(dataDir: string, { fast }: { fast: boolean }) {
  const server = await startEmbeddedPostgres({ dir: join(dataDir, 'postgres'), fast })
  const url = server.url('owner')
  const database = openDatabase(url, { max: 3, applicationName: 'bench', statementTimeoutMs: STATEMENT_MS })
  const stop = async () => {
    await database.close()
    await server.stop()
  }
  return { url, database, stop }
}

type Filling = { listings: number; fitmentRows: number }

/** Loads lookups, demo people and listings, and leaves the tables as they are in an installation at work. */
export async function fillDemo(
  { db, pool }: Database,
  dataDir: string,
  { listings, fitmentRows }: Filling,
): Promise<void> {
  await migrate(pool)
  await prepareJobQueues(pool, JOB_QUEUES)
  await loadLookups(db)
  await loadTradeWords(db)
  await loadDemo(db, await openFileStore({ kind: 'fs', dir: join(dataDir, 'files') }), new Date())
  await addDemoParts(db, {
    parts: listings,
    now: new Date(),
    report: () => undefined,
    change: (rows) => withInterchange(withFitment(rows, fitmentRows)),
  })
  await endSome(db)
  await addWords(db)
  // In an installation the first readers fold the counts and autovacuum comes within minutes: then pages are read by index
  // alone, and no read adds up thousands of writes.
  while ((await foldTally(db)) > 0);
  for (const table of ['listing', 'listing_search', 'listing_tally', 'listing_tally_change']) {
    await sql`vacuum analyze ${sql.table(table)}`.execute(db)
  }
}

/** Five years of the cars of other parts, so that common models have most of the rows. */
function withFitment(rows: NewListingRow[], count: number): NewListingRow[] {
  if (count === 0) return rows
  return rows.map((row, at) => ({
    ...row,
    fitment: printFitment(
      Array.from({ length: count }, (_, place) => {
        const other = rows[(at + 1 + place * 977) % rows.length] ?? row
        const vehicle = `${other.manufacturer_name} ${other.model_name}`
        const year = other.year_from ?? 2014
        return { from: year - 2, to: year + 2, vehicle: fitmentWords(vehicle) }
      }),
    ),
  }))
}

/** Of each tenth, the number has a former one, which other parts still carry: groups of two, as most are. */
function withInterchange(rows: NewListingRow[]): NewListingRow[] {
  return rows.map((row, at) => {
    const former = `${row.part_number}A`
    if (at % 10 === 0) return { ...row, interchange: `replaces ${former}` }
    return at % 10 === 5 ? { ...row, part_number: former } : row
  })
}

/** 8% are sold, 2% hidden. */
async function endSome(db: Db): Promise<void> {
  const share = sql`('x' || right(id::text, 6))::bit(24)::int % 100`
  await withChangeSet(db, { actorKind: 'system', reason: 'bench' }, async (trx) => {
    await sql`update listing set ended_at = now(), ended_reason = 'sold-elsewhere' where ${share} < 8`.execute(
      trx,
    )
    await sql`update listing set status = 'HIDDEN' where ${share} in (8, 9)`.execute(trx)
    await sql`
      update listing_search set live = false, hidden = listing_id in (select id from listing where status = 'HIDDEN')
      where listing_id in (select id from listing where ${share} < 10)
    `.execute(trx)
  })
}

async function addWords(db: Db): Promise<void> {
  const add = (word: string, ids: ReturnType<typeof sql>) =>
    sql`
    update listing_search set document = document || ${word}::tsvector where listing_id in (${ids})
  `.execute(db)
  await add(
    RARE_WORD,
    sql`select id from (select id, row_number() over (order by id) as n from listing) l where n % 5000 = 7`,
  )
  await add(OLD_WORD, sql`select id from listing order by id limit (select count(*) * 3 / 100 from listing)`)
}

/** A token of an admin. */
export async function signInAdmin(db: Db): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await sql`
    insert into session (token_hash, user_id, expires_at)
    select ${tokenHash(token)}, id, now() + interval '1 day' from app_user where role = 1 limit 1
  `.execute(db)
  return token
}

/** The seller with the most listings, and a token of theirs. */
export async function signInLargest(db: Db): Promise<{ sellerId: string; token: string }> {
  const token = randomBytes(32).toString('base64url')
  const { rows } = await sql<{ sellerId: string }>`
    with largest as (select seller_id from listing group by seller_id order by count(*) desc limit 1)
    insert into session (token_hash, user_id, expires_at)
    select ${tokenHash(token)}, m.user_id, now() + interval '1 day' from seller_member m join largest using (seller_id) limit 1
    returning (select seller_id from largest) as "sellerId"
  `.execute(db)
  return { sellerId: rows[0]?.sellerId ?? '', token }
}

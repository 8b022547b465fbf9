import type { Config } from '#server/config.ts'
import { addDemoParts } from '#server/features/running/demo/add-demo-parts.ts'
import { TOTAL_LISTINGS } from '#server/features/running/demo/demo-sellers.ts'
import { loadDemo } from '#server/features/running/demo/load-demo.ts'
import { type Db, openDatabase } from '#server/platform/database/database.ts'
import { Refusal } from '#server/platform/errors.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import type { Log } from '#server/platform/log.ts'
import { requireCurrentSchema, requireDatabaseUrl, withDatabase } from './database-of.ts'
import { misuse, readArguments } from './usage.ts'

/**
 * Loads the demo data into a migrated database with lookups; data that is already loaded is not changed. `--parts` then
 * adds generated parts up to that total.
 */
export async function demoLoad(config: Config, log: Log, args: readonly string[]): Promise<void> {
  const parts = readParts(args)
  // The demo passwords are public.
  if (config.mode === 'production')
    throw new Refusal('Demo data cannot be loaded while APP_MODE is production.')
  await withDatabase(config, log, async (served) => {
    await requireCurrentSchema(served)
    const database = openDatabase(requireDatabaseUrl(served), {
      max: 2,
      applicationName: 'demo-load',
      statementTimeoutMs: STATEMENT_TIMEOUT_MS,
      log,
    })
    try {
      const loaded = await loadDemo(database.db, await openFileStore(served.storage), new Date())
      console.log(loaded ? 'The demo data is loaded.' : 'The demo data was already loaded.')
      if (parts !== undefined) await fillUp(database.db, parts)
    } finally {
      await database.close()
    }
  })
}

// No request waits for these statements, and analyzing a million listings on a busy machine exceeds the limit of a request.
const STATEMENT_TIMEOUT_MS = 120_000
const MOST_PARTS = 1_000_000
const REPORT_EVERY_MS = 2_000

function readParts(args: readonly string[]): number | undefined {
  const { parts } = readArguments('demo load', args)
  if (parts === undefined) return undefined
  const count = /^\d{1,7}$/.test(parts) ? Number(parts) : Number.NaN
  if (count >= TOTAL_LISTINGS && count <= MOST_PARTS) return count
  throw misuse(
    'demo load',
    `--parts must be between ${TOTAL_LISTINGS.toLocaleString('en-US')} and ${MOST_PARTS.toLocaleString('en-US')}.`,
  )
}

async function fillUp(db: Db, parts: number): Promise<void> {
  const began = performance.now()
  let reportedAt = began
  const report = (done: number, added: number) => {
    if (performance.now() - reportedAt < REPORT_EVERY_MS && done < parts) return
    const rate = Math.round((added / (performance.now() - began)) * 1_000)
    console.log(`${inWords(done)} of ${inWords(parts)} parts, ${inWords(rate)} per second`)
    reportedAt = performance.now()
  }
  const total = await addDemoParts(db, { parts, now: new Date(), report })
  console.log(`The demo data has ${inWords(total)} parts.`)
}

const inWords = (count: number) => count.toLocaleString('en-US')

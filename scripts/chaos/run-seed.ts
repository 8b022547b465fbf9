import { setTimeout as sleep } from 'node:timers/promises'
import pRetry from 'p-retry'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { openProSeller, type ProSeller, type Sending } from '#tests/support/import-client.ts'
import type { Installation } from '#tests/support/installation.ts'
import { differences, type Tables, tablesOfSeller } from '#tests/support/tables-of-seller.ts'
import { yardText } from '#tests/support/yard-file.ts'
import { disturb } from './disturb.ts'
import { readProgress } from './import-progress.ts'
import type { SeedPlan } from './seed-plan.ts'
import { sendChunks } from './send-chunks.ts'
import { cut } from './stock.ts'
import { ImportWatch } from './watch-import.ts'

export type Scene = {
  readonly installation: Installation
  readonly db: Db
  readonly files: FileStore
  readonly chunks: number
  readonly stock: { readonly first: readonly string[][]; readonly next: readonly string[][] }
}

/** What the undisturbed run left behind, after its first file and after the next. */
export type Oracle = Readonly<Record<SeedPlan['scenario'], Tables>>

export type SeedOutcome = {
  readonly retries: number
  readonly longestStillMs: number
  readonly problems: string[]
}

// What a process that wakes from a pause might still write is written by then: it looks at its fence at once.
const SETTLE_MS = 2_000

const undisturbed = (chunks: number) => ({
  order: Array.from({ length: chunks }, (_, index) => index),
  doubled: new Set<number>(),
  resent: new Set<number>(),
  atOnce: 1,
  disturbances: [],
})

/** Both files by a seller of its own, with nothing in the way. */
export async function runOracle(scene: Scene): Promise<Oracle> {
  const seller = await openSeller(scene)
  await runImport(scene, seller, { rows: scene.stock.first, mode: 'add', plan: undisturbed(scene.chunks) })
  const afterFirst = await tablesOfSeller(scene.db, scene.files, seller.sellerId)
  await runImport(scene, seller, { rows: scene.stock.next, mode: 'replace', plan: undisturbed(scene.chunks) })
  const afterNext = await tablesOfSeller(scene.db, scene.files, seller.sellerId)
  return { 'first file': afterFirst, 'next stock': afterNext }
}

export async function runSeed(scene: Scene, plan: SeedPlan, oracle: Oracle): Promise<SeedOutcome> {
  const seller = await openSeller(scene)
  const isNext = plan.scenario === 'next stock'
  if (isNext) {
    await runImport(scene, seller, { rows: scene.stock.first, mode: 'add', plan: undisturbed(scene.chunks) })
  }
  const rows = isNext ? scene.stock.next : scene.stock.first
  const run = await runImport(scene, seller, { rows, mode: isNext ? 'replace' : 'add', plan })
  await sleep(SETTLE_MS)
  const found = await tablesOfSeller(scene.db, scene.files, seller.sellerId)
  const problems = differences(oracle[plan.scenario], found)
  return { ...run, problems: [...problems, ...(await raiseFallen(scene.installation))] }
}

/** Whoever was killed was started again by us. Who is gone now ended by itself, which no failure of another excuses. */
export async function raiseFallen(installation: Installation): Promise<string[]> {
  const fallen = installation.processes.filter((process) => !process.isRunning)
  await Promise.all(fallen.map((process) => process.startUntilReady()))
  return fallen.map(({ role, output }) => `the ${role} ended by itself:\n${output.slice(-2_000)}`)
}

/** Not part of what is measured: a connection kept from the last seed, to a process that is gone, is tried again. */
function openSeller({ installation, db }: Scene): Promise<ProSeller> {
  return pRetry(() => openProSeller(installation.ofRole('api')[0]?.address ?? '', db), { retries: 5 })
}

type Run = {
  readonly rows: readonly string[][]
  readonly mode: Sending['mode']
  readonly plan: Omit<SeedPlan, 'seed' | 'scenario'>
}

/** Sends a file while things happen, and waits until it is live and everything runs again. */
async function runImport({ installation, db, chunks }: Scene, seller: ProSeller, { rows, mode, plan }: Run) {
  const key = `chaos ${mode}`
  const sendings = cut(rows, chunks).map((some, index) => ({
    key,
    mode,
    file: new Blob([yardText(some)]),
    chunk: { index, count: chunks },
  }))
  const addresses = installation.ofRole('api').map(({ address }) => address)
  const watch = new ImportWatch(() => readProgress(db, seller.sellerId, key))
  const over = new AbortController()
  const happenings = Promise.all(
    plan.disturbances.map(async (disturbance) => {
      await watch.untilShare(disturbance.at, over.signal)
      await sleep(disturbance.laterMs)
      await disturb(installation, disturbance, (away) => watch.away(away))
    }),
  )
  // Looked at below; one that fails early must not end this program.
  happenings.catch(() => undefined)
  try {
    const [retries] = await Promise.all([
      sendChunks(plan, sendings, { addresses, seller, signal: over.signal }),
      watch.untilApplied(),
    ])
    return { retries, longestStillMs: watch.longestStillMs }
  } finally {
    over.abort()
    await happenings
  }
}

import { type Db, openDatabase } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { Installation, type InstallationOptions } from '#tests/support/installation.ts'

/** An installation to disturb, and a look at its database and files from outside. */
export type Scene = {
  readonly installation: Installation
  readonly db: Db
  readonly files: FileStore
  close(): Promise<void>
}

// Comparing the tables of a large import takes longer than any query of the program may.
const STATEMENT_MS = 300_000

export async function openScene(options: InstallationOptions): Promise<Scene> {
  const installation = await Installation.open(options)
  const { db, close } = openDatabase(installation.databaseUrl, {
    // Six yards look at once, on a machine that is busy.
    max: 8,
    applicationName: 'chaos',
    statementTimeoutMs: STATEMENT_MS,
  })
  const files = await openFileStore({ kind: 'fs', dir: installation.filesDir })
  return {
    installation,
    db,
    files,
    close: async () => {
      await close()
      await installation.close()
    },
  }
}

export function addressesOf({ installation }: Scene): string[] {
  return installation.ofRole('api').map(({ address }) => address)
}

/** The seeds of `--seed 9,14`, or else 1 to `--seeds`. */
export function chosenSeeds({ seed, seeds }: { seed?: string | undefined; seeds: string }): number[] {
  return seed?.split(',').map(Number) ?? Array.from({ length: Number(seeds) }, (_, at) => at + 1)
}

/** Makes the value of each key once, when it is first needed. */
export function makeOnce<Value>(): (key: string, make: () => Promise<Value>) => Promise<Value> {
  const made = new Map<string, Promise<Value>>()
  return (key, make) => {
    const value = made.get(key) ?? make()
    made.set(key, value)
    return value
  }
}

export type SeedOutcome = { readonly problems: readonly string[]; readonly measured: string }

/** Runs one plan after the other and prints a line for each and the totals; returns whether all passed. */
export async function runSeeds<Plan extends { readonly seed: number }>(
  { installation }: Scene,
  plans: readonly Plan[],
  { story, run }: { story: (plan: Plan) => string; run: (plan: Plan) => Promise<SeedOutcome> },
): Promise<boolean> {
  let failed = 0
  for (const plan of plans) {
    const begin = Date.now()
    const outcome = await run(plan).catch((error: unknown) => ({
      problems: [error instanceof Error ? error.message : String(error)],
      measured: 'stopped early',
    }))
    const problems = [...outcome.problems, ...(await restartEnded(installation))]
    if (problems.length > 0) failed += 1
    const verdict = problems.length > 0 ? 'FAILED' : 'ok    '
    console.log(
      `${verdict} seed ${plan.seed}: ${story(plan)}; ${outcome.measured}, ${seconds(Date.now() - begin)}`,
    )
    for (const problem of problems) console.log(problem)
  }
  console.log(`${plans.length - failed} passed, ${failed} failed`)
  return failed === 0
}

export const seconds = (ms: number, digits = 0): string => `${(ms / 1_000).toFixed(digits)} s`

/**
 * We restart every process that we kill. One that is gone now ended by itself, which no other failure excuses; it is
 * started for the next seed.
 */
export async function restartEnded(installation: Installation): Promise<string[]> {
  const ended = installation.processes.filter((process) => !process.isRunning)
  await Promise.all(ended.map((process) => process.startUntilReady()))
  return ended.map(({ role, output }) => `the ${role} ended by itself:\n${output.slice(-2_000)}`)
}

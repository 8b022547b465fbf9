/*
 * Imports a yard's file in the wizard itself, in a real browser, while its line is cut, its tabs are reloaded, closed and
 * doubled, and the processes behind it are killed; and looks whether everything is as if nothing had happened. Every seed
 * draws another course of events; one alone is run with `npm run chaos -- wizard --seed 17`.
 */
import { parseArgs } from 'node:util'
import { chromium } from '@playwright/test'
import { buildWebIfChanged } from '#server/commands/web-build.ts'
import { openDatabase } from '#server/platform/database/database.ts'
import { openFileStore } from '#server/platform/files/open-file-store.ts'
import { findBrowser } from '#tests/support/browser.ts'
import { Installation } from '#tests/support/installation.ts'
import { writeYardFile } from '#tests/support/yard-file.ts'
import { raiseFallen } from './chaos/run-seed.ts'
import { firstFile, nextStock } from './chaos/stock.ts'
import { planWizardSeed, tellTrouble, type WizardPlan } from './chaos/wizard-plan.ts'
import { runWizardSeed, stockPath, Undisturbed, type WizardScene } from './chaos/wizard-seed.ts'

// Comparing the tables of a large import takes longer than any query of the program may.
const STATEMENT_MS = 300_000

const OPTIONS = {
  seeds: { type: 'string', default: '5' },
  /** These seeds alone: "17" or "9,14". */
  seed: { type: 'string' },
  rows: { type: 'string', default: '10000' },
  /** Of every seed, instead of one that it draws. */
  'chunk-size': { type: 'string' },
  /** What happens in one seed. */
  troubles: { type: 'string', default: '6' },
} as const

/** Prints a line a seed and a summary; answers whether all of them passed. */
export async function chaosWizard(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: OPTIONS })
  const rows = Number(values.rows)
  const seeds =
    values.seed?.split(',').map(Number) ?? Array.from({ length: Number(values.seeds) }, (_, at) => at + 1)
  const chunkSize = values['chunk-size'] === undefined ? undefined : Number(values['chunk-size'])
  const plans = seeds.map((seed) =>
    planWizardSeed(seed, { rows, troubles: Number(values.troubles), chunkSize }),
  )
  const scene = await openScene(rows)
  try {
    const undisturbed = new Undisturbed(scene)
    let failed = 0
    for (const plan of plans) if (!(await reportSeed(scene, plan, undisturbed))) failed += 1
    console.log(`${plans.length - failed} passed, ${failed} failed`)
    return failed === 0
  } finally {
    await scene.close()
  }
}

/** An installation with the files to import, its database, and a browser. */
async function openScene(rows: number): Promise<WizardScene & { close: () => Promise<void> }> {
  await buildWebIfChanged()
  const browser = await chromium.launch(await findBrowser())
  const installation = await Installation.open({ api: 1, worker: 1 })
  const { db, close: closeDatabase } = openDatabase(installation.databaseUrl, {
    max: 3,
    applicationName: 'chaos',
    statementTimeoutMs: STATEMENT_MS,
  })
  const first = firstFile(rows)
  await writeYardFile(stockPath(installation, 'first'), first)
  await writeYardFile(stockPath(installation, 'next'), nextStock(first))
  const close = async () => {
    await browser.close()
    await closeDatabase()
    await installation.close()
  }
  const files = await openFileStore({ kind: 'fs', dir: installation.filesDir })
  return { installation, db, files, browser, close }
}

async function reportSeed(scene: WizardScene, plan: WizardPlan, undisturbed: Undisturbed): Promise<boolean> {
  const begin = Date.now()
  const how = `chunks of ${plan.chunkSize}, ${plan.concurrency} at a time`
  const story = [`${plan.scenario} in ${how}`, ...plan.troubles.map(tellTrouble)].join(', ')
  const since = () => `${((Date.now() - begin) / 1000).toFixed(0)} s`
  try {
    const outcome = await runWizardSeed(scene, plan, undisturbed)
    const { problems, sendings, cuts, longestStillMs } = outcome
    const still = `still for ${(longestStillMs / 1000).toFixed(1)} s at most`
    const measured = `${sendings} sendings, ${cuts} connections cut, ${still}, ${since()}`
    console.log(`${problems.length === 0 ? 'ok    ' : 'FAILED'} seed ${plan.seed}: ${story}; ${measured}`)
    for (const problem of problems) console.log(problem)
    return problems.length === 0
  } catch (error) {
    console.log(`FAILED seed ${plan.seed}: ${story}; ${since()}`)
    console.log(error instanceof Error ? error.message : String(error))
    for (const problem of await raiseFallen(scene.installation)) console.log(problem)
    return false
  }
}

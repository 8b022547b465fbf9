import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser } from '@playwright/test'
import type { Db } from '#server/platform/database/database.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { openCuttingProxy } from '#tests/support/cutting-proxy.ts'
import type { Installation } from '#tests/support/installation.ts'
import { differences, type Tables, tablesOfSeller } from '#tests/support/tables-of-seller.ts'
import { raiseFallen } from './run-seed.ts'
import { importInWizard } from './wizard-import.ts'
import type { WizardPlan } from './wizard-plan.ts'
import { openWizardSeller } from './wizard-seller.ts'
import { WizardWindow } from './wizard-window.ts'

export type WizardScene = {
  readonly installation: Installation
  readonly db: Db
  readonly files: FileStore
  readonly browser: Browser
}

export type WizardOutcome = {
  readonly problems: readonly string[]
  readonly sendings: number
  readonly cuts: number
  readonly longestStillMs: number
}

type Course = Pick<WizardPlan, 'scenario' | 'chunkSize' | 'concurrency' | 'troubles'>

/** Files of the yard below the folder of an installation. */
export const stockPath = ({ dir }: Installation, which: 'first' | 'next') => join(dir, `${which}-stock.csv`)

// What a process that is killed might still have written is there by then.
const SETTLE_MS = 1_000

/** Tables of undisturbed runs, one a kind of import and size of chunks: where a row stands depends on that. */
export class Undisturbed {
  readonly #scene: WizardScene
  readonly #tables = new Map<string, Promise<Tables>>()

  constructor(scene: WizardScene) {
    this.#scene = scene
  }

  like({ scenario, chunkSize }: Course): Promise<Tables> {
    const name = `${scenario} ${chunkSize}`
    const tables =
      this.#tables.get(name) ??
      runCourse(this.#scene, { scenario, chunkSize, concurrency: 1, troubles: [] }).then(
        ({ tables }) => tables,
      )
    this.#tables.set(name, tables)
    return tables
  }
}

export async function runWizardSeed(
  scene: WizardScene,
  plan: WizardPlan,
  undisturbed: Undisturbed,
): Promise<WizardOutcome> {
  const expected = await undisturbed.like(plan)
  const { tables, faults, ...measured } = await runCourse(scene, plan)
  const fallen = await raiseFallen(scene.installation)
  return { ...measured, problems: [...differences(expected, tables), ...faults, ...fallen] }
}

/** A new seller in a new browser, behind a line of its own. */
async function runCourse({ installation, db, files, browser }: WizardScene, course: Course) {
  const api = installation.ofRole('api')[0]?.address ?? ''
  const session = await openWizardSeller(api, db)
  const { sellerId } = session.user
  const nextCuts: number[] = []
  const proxy = await openCuttingProxy({ upstreams: [api], nextCut: () => nextCuts.shift() })
  const window = await WizardWindow.open(browser, proxy.address, session)
  try {
    const troubled = { installation, window, line: { cutAll: proxy.cutAll, nextCuts } }
    const run = { ...course, db, sellerId }
    const first = { ...run, path: stockPath(installation, 'first'), mode: 'add' } as const
    const next = { ...run, path: stockPath(installation, 'next'), mode: 'replace' } as const
    const isNext = course.scenario === 'next stock'
    if (isNext) await importInWizard({ ...first, troubles: [] }, troubled)
    const sentBefore = window.sendings
    const { longestStillMs } = await importInWizard(isNext ? next : first, troubled)
    await sleep(SETTLE_MS)
    const tables = await tablesOfSeller(db, files, sellerId)
    const sendings = window.sendings - sentBefore
    return { tables, sendings, cuts: proxy.cuts(), longestStillMs, faults: window.faults }
  } finally {
    await window.close()
    await proxy.close()
  }
}

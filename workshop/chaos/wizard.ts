/*
 * Imports a yard's file in the wizard itself, in a real browser, while its connection breaks, its tabs are reloaded, closed
 * and doubled, and the processes behind it are killed; and checks that the result is the same as without.
 */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { Browser, Page } from '@playwright/test'
import pRetry from 'p-retry'
import type { User } from '#contract/account/accounts.ts'
import { buildWebIfChanged } from '#server/commands/web-build.ts'
import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import { findBrowser } from '#tests/support/browser.ts'
import { type CuttingProxy, openCuttingProxy } from '#tests/support/cutting-proxy.ts'
import { openProSeller } from '#tests/support/import-client.ts'
import { differences, type Tables, tablesOfSeller } from '#tests/support/tables-of-seller.ts'
import { writeYardFile } from '#tests/support/yard-file.ts'
import { disturb } from './disturbances.ts'
import { ImportWatch, type Timed } from './import-watch.ts'
import { addressesOf, chosenSeeds, makeOnce, openScene, runSeeds, type Scene, seconds } from './scene.ts'
import { importsOf, makeStock, type Scenario, scenarioOf } from './stock.ts'
import { WizardWindow } from './wizard-window.ts'

const OPTIONS = {
  seeds: { type: 'string', default: '5' },
  /** These seeds only: "17" or "9,14". */
  seed: { type: 'string' },
  rows: { type: 'string', default: '10000' },
  /** In every seed, instead of a random size. */
  'chunk-size': { type: 'string' },
  /** Troubles in one seed. */
  troubles: { type: 'string', default: '6' },
} as const

type Trouble =
  | { readonly kind: 'request lost' | 'answer lost'; readonly times: number }
  /** All connections break now, and the next ones after these numbers of bytes of their answers. */
  | { readonly kind: 'line cut'; readonly nextCuts: readonly number[] }
  | { readonly kind: 'reload' | 'second tab' }
  | { readonly kind: 'offline' | 'tab closed' | 'api killed' | 'worker killed'; readonly forMs: number }

type Course = {
  readonly scenario: Scenario
  readonly chunkSize: number
  readonly concurrency: number
  readonly troubles: readonly (Trouble & Timed)[]
}
type WizardPlan = Course & { readonly seed: number }

const KINDS = [
  'request lost',
  'answer lost',
  'line cut',
  'offline',
  'reload',
  'second tab',
  'tab closed',
  'api killed',
  'worker killed',
] as const
// Most of it happens while chunks are sent, which is the first half.
const LATEST = 0.7

export function planWizard(
  seed: number,
  { rows, troubles, chunkSize }: { rows: number; troubles: number; chunkSize?: number | undefined },
): WizardPlan {
  const random = seededRandom(`chaos wizard ${seed}`)
  const size = rows / random.pick([5, 10, 20])
  return {
    seed,
    scenario: scenarioOf(seed),
    // A whole step within what the wizard offers.
    chunkSize: chunkSize ?? Math.min(2_000, Math.max(100, Math.round(size / 100) * 100)),
    concurrency: random.whole(1, 5),
    troubles: Array.from({ length: troubles }, () => drawTrouble(random)).sort((a, b) => a.at - b.at),
  }
}

function drawTrouble(random: Random): Trouble & Timed {
  const when = { at: random.next() * LATEST, laterMs: random.whole(0, 200) }
  const kind = random.pick(KINDS)
  if (kind === 'reload' || kind === 'second tab') return { ...when, kind }
  if (kind === 'request lost' || kind === 'answer lost') return { ...when, kind, times: random.whole(1, 3) }
  if (kind === 'offline') return { ...when, kind, forMs: random.whole(200, 4_000) }
  if (kind !== 'line cut') return { ...when, kind, forMs: random.whole(0, 2_000) }
  // The head of an answer is about 400 bytes long.
  const nextCuts = Array.from({ length: random.whole(1, 3) }, () => random.whole(0, 800))
  return { ...when, kind, nextCuts }
}

/** Prints a line for each seed and a summary; returns whether all of them passed. */
export async function chaosWizard(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: OPTIONS })
  const rows = Number(values.rows)
  const size = values['chunk-size']
  const plans = chosenSeeds(values).map((seed) =>
    planWizard(seed, {
      rows,
      troubles: Number(values.troubles),
      chunkSize: size === undefined ? undefined : Number(size),
    }),
  )
  await buildWebIfChanged()
  // Loaded here, since it is a test runner of its own and the plans are tested by another.
  const { chromium } = await import('@playwright/test')
  const browser = await chromium.launch(await findBrowser())
  const scene = await openScene({ api: 1, worker: 1 })
  try {
    for (const [name, stock] of Object.entries(makeStock(rows))) {
      await writeYardFile(pathOf(scene, name as Scenario), stock)
    }
    // By kind of import and size of chunks: the place of a staged row depends on it.
    const undisturbed = makeOnce<Tables>()
    const expected = ({ scenario, chunkSize }: WizardPlan) =>
      undisturbed(`${scenario} ${chunkSize}`, async () => {
        const course = { scenario, chunkSize, concurrency: 1, troubles: [] }
        return (await runCourse(scene, browser, course)).tables
      })
    return await runSeeds(scene, plans, {
      story: ({ scenario, chunkSize, concurrency, troubles }) =>
        [
          `${scenario} in chunks of ${chunkSize}, ${concurrency} at a time`,
          ...troubles.map(({ kind, at }) => `${kind} at ${Math.round(at * 100)}%`),
        ].join(', '),
      run: async (plan) => {
        const tables = await expected(plan)
        const found = await runCourse(scene, browser, plan)
        return {
          problems: [...differences(tables, found.tables), ...found.faults],
          measured: `${found.sendings} sendings, ${found.cuts} connections cut, stood still for ${seconds(found.longestStillMs, 1)} at most`,
        }
      },
    })
  } finally {
    await browser.close()
    await scene.close()
  }
}

const pathOf = ({ installation }: Scene, file: Scenario) =>
  join(installation.dir, `${file.replace(' ', '-')}.csv`)

// What a process that was killed might still have written is there by then.
const SETTLE_MS = 1_000

/** The imports of a scenario by a new seller in a new browser window with a connection of its own. */
async function runCourse(scene: Scene, browser: Browser, course: Course) {
  const [api = ''] = addressesOf(scene)
  // A connection to a process that was killed in the last seed is tried again.
  const { token, sellerId } = await pRetry(() => openProSeller(api, scene.db), { retries: 5 })
  const profile = await fetch(`${api}/api/profile/me`, { headers: { authorization: `Bearer ${token}` } })
  const nextCuts: number[] = []
  const proxy = await openCuttingProxy({ upstreams: [api], nextCut: () => nextCuts.shift() })
  const window = await WizardWindow.open(browser, proxy.address, {
    token,
    user: (await profile.json()) as User,
  })
  try {
    const imports = importsOf(course.scenario)
    let sentBefore = 0
    let longestStillMs = 0
    for (const [skipped, { file, mode }] of imports.entries()) {
      const isLast = skipped === imports.length - 1
      const watch = new ImportWatch(scene.db, sellerId, skipped)
      const troubles = isLast ? course.troubles : []
      sentBefore = window.sendings
      await importInWizard(
        { ...course, troubles, path: pathOf(scene, file), mode },
        { scene, window, watch, proxy, nextCuts },
      )
      longestStillMs = watch.longestStillMs
    }
    await sleep(SETTLE_MS)
    const tables = await tablesOfSeller(scene.db, scene.files, sellerId)
    const sendings = window.sendings - sentBefore
    return { tables, sendings, cuts: proxy.cuts(), longestStillMs, faults: window.faults }
  } finally {
    await window.close()
    await proxy.close()
  }
}

type WizardImport = Omit<Course, 'scenario'> & { readonly path: string; readonly mode: string }
type Surroundings = {
  readonly scene: Scene
  readonly window: WizardWindow
  readonly watch: ImportWatch
  readonly proxy: CuttingProxy
  readonly nextCuts: number[]
}

/**
 * Chooses a file in the wizard and presses its button while troubles happen, and waits until it is live, everything runs
 * again, and no page still claims to be sending.
 */
async function importInWizard(run: WizardImport, around: Surroundings): Promise<void> {
  const { window, watch } = around
  const page = window.tabs[0] ?? (await window.openTab())
  await prepare(page, run)
  // The sender waits from here on.
  window.onLost = () => {
    watch.away(true)
    watch.away(false)
  }
  await watch.importAmid(
    run.troubles,
    (trouble) => bringTrouble(around, trouble),
    async () => {
      await page.getByRole('button', { name: 'Run import' }).click()
      if (run.mode === 'replace') await page.getByRole('button', { name: 'Replace my stock' }).click()
      await watch.untilApplied().catch(async (error: unknown) => {
        throw new Error(`${String(error)}\nIts pages show:\n${await window.text()}`)
      })
    },
  )
  await untilNobodySends(window)
}

const READ_MS = 60_000

async function prepare(page: Page, { path, chunkSize, concurrency, mode }: WizardImport): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles(path)
  await page.getByRole('button', { name: 'Check rows' }).waitFor({ timeout: READ_MS })
  await page.getByRole('tab', { name: 'Upload', exact: true }).click()
  for (const [label, value] of Object.entries({ 'Chunk size': chunkSize, Concurrency: concurrency })) {
    const field = page.getByLabel(label, { exact: true })
    await field.fill(String(value))
    await field.blur()
  }
  if (mode === 'replace') await page.getByRole('radio', { name: /Replace/ }).check()
  await page.getByRole('tab', { name: 'Run Import', exact: true }).click()
}

/** Does it, and resolves when everything is as before. */
async function bringTrouble({ scene, window, watch, proxy, nextCuts }: Surroundings, trouble: Trouble) {
  const whileAway = async (work: () => Promise<unknown>) => {
    watch.away(true)
    try {
      await work()
    } finally {
      watch.away(false)
    }
  }
  const kill = (target: 'api' | 'worker', forMs: number) =>
    whileAway(() => disturb(scene.installation, { kind: 'kill', target, which: 0, forMs }))
  const [page, ...others] = window.tabs
  // Nothing is cut while a page loads: a person who sees half a page reloads it.
  if (trouble.kind === 'reload' || trouble.kind === 'tab closed') nextCuts.length = 0
  switch (trouble.kind) {
    case 'request lost':
    case 'answer lost':
      return window.lose(trouble.kind, trouble.times)
    case 'line cut':
      nextCuts.push(...trouble.nextCuts)
      return proxy.cutAll()
    case 'offline':
      await window.setOffline(true)
      return whileAway(async () => {
        await sleep(trouble.forMs)
        await window.setOffline(false)
      })
    case 'second tab':
      return void (await window.openTab('run'))
    case 'reload':
      return page && whileAway(() => window.reload(page))
    case 'tab closed':
      // Another tab has to continue by itself.
      if (others.length > 0) return page?.close()
      return whileAway(async () => {
        await page?.close()
        await sleep(trouble.forMs)
        await window.openTab()
      })
    case 'api killed':
      return kill('api', trouble.forMs)
    case 'worker killed':
      return kill('worker', trouble.forMs)
  }
}

// For a page to learn that the last row is live.
const LEARNED_MS = 30_000

async function untilNobodySends(window: WizardWindow): Promise<void> {
  const deadline = Date.now() + LEARNED_MS
  for (;;) {
    const text = await window.text()
    if (!/Uploading your rows|Checking your rows|in another tab|Resume/.test(text)) return
    if (Date.now() > deadline) throw new Error(`The import is live, but a page shows:\n${text}`)
    await sleep(500)
  }
}

import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from '@playwright/test'
import type { Db } from '#server/platform/database/database.ts'
import { type Progress, readProgress } from './import-progress.ts'
import { ImportWatch } from './watch-import.ts'
import type { WizardPlan } from './wizard-plan.ts'
import { bringTrouble, type Troubled } from './wizard-trouble.ts'
import type { WizardWindow } from './wizard-window.ts'

export type WizardRun = Pick<WizardPlan, 'chunkSize' | 'concurrency' | 'troubles'> & {
  readonly db: Db
  readonly sellerId: string
  readonly path: string
  readonly mode: 'add' | 'replace'
}

const READ_MS = 60_000
// What a page still has to hear after the last row is live.
const TOLD_MS = 30_000

/**
 * Chooses a file in the wizard and presses its button while things happen, and waits until it is live, everything runs
 * again, and no page believes that it is still sending. Answers how long it stood still at most.
 */
export async function importInWizard(
  run: WizardRun,
  troubled: Omit<Troubled, 'onAway'>,
): Promise<{ longestStillMs: number }> {
  const { window } = troubled
  const before = await newestImport(run)
  const page = window.tabs[0] ?? (await window.openTab())
  await prepare(page, run)
  const watch = new ImportWatch(() => progressAfter(run, before))
  // Its waiting begins anew.
  window.onLost = () => {
    watch.away(true)
    watch.away(false)
  }
  const over = new AbortController()
  const happenings = Promise.all(
    run.troubles.map(async (trouble) => {
      await watch.untilShare(trouble.at, over.signal)
      await sleep(trouble.laterMs)
      await bringTrouble({ ...troubled, onAway: (away) => watch.away(away) }, trouble)
    }),
  )
  // Awaited below; one that fails early must not end this program.
  happenings.catch(() => undefined)
  try {
    await press(page, run.mode)
    await watch.untilApplied().catch(async (error: unknown) => {
      throw new Error(`${String(error)}\nIts pages say:\n${await window.words()}`)
    })
  } finally {
    over.abort()
    // What failed first is what is told.
    await Promise.allSettled([happenings])
  }
  await happenings
  await untilNobodySends(window)
  return { longestStillMs: watch.longestStillMs }
}

async function prepare(page: Page, { path, chunkSize, concurrency, mode }: WizardRun): Promise<void> {
  await page.locator('input[type=file]').first().setInputFiles(path)
  await page.getByRole('button', { name: 'Check rows' }).waitFor({ timeout: READ_MS })
  await page.getByRole('tab', { name: 'Upload', exact: true }).click()
  for (const [label, value] of [
    ['Chunk size', chunkSize],
    ['Concurrency', concurrency],
  ] as const) {
    const field = page.getByLabel(label, { exact: true })
    await field.fill(String(value))
    await field.blur()
  }
  if (mode === 'replace') await page.getByRole('radio', { name: /Replace/ }).check()
  await page.getByRole('tab', { name: 'Run Import', exact: true }).click()
}

async function press(page: Page, mode: WizardRun['mode']): Promise<void> {
  await page.getByRole('button', { name: 'Run import' }).click()
  if (mode === 'replace') await page.getByRole('button', { name: 'Replace my stock' }).click()
}

async function newestImport({ db, sellerId }: WizardRun): Promise<string> {
  const { rows } = await keysOf(db, sellerId)
  return rows.at(-1) ?? ''
}

async function keysOf(db: Db, sellerId: string): Promise<{ rows: string[] }> {
  const found = await db
    .selectFrom('import')
    .select('key')
    .where('seller_id', '=', sellerId)
    .where('dry_run', '=', false)
    .orderBy('id')
    .execute()
  return { rows: found.map(({ key }) => key) }
}

/** Of the first import after another one: a second one would be a fault, which the tables show. */
async function progressAfter({ db, sellerId }: WizardRun, before: string): Promise<Progress | undefined> {
  const { rows } = await keysOf(db, sellerId)
  const key = rows[rows.indexOf(before) + 1]
  return key === undefined ? { share: 0, trace: 'nothing', applied: false } : readProgress(db, sellerId, key)
}

async function untilNobodySends(window: WizardWindow): Promise<void> {
  const deadline = Date.now() + TOLD_MS
  for (;;) {
    const words = await window.words()
    if (!/Uploading your rows|Checking your rows|in another tab|Resume/.test(words)) return
    if (Date.now() > deadline) throw new Error(`The import is live, but a page says:\n${words}`)
    await sleep(500)
  }
}

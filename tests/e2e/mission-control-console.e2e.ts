import type { Page } from '@playwright/test'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { callApi } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

/*
 * Only one self-check runs at a time, so these stories run one after the other, and wait for another file’s runs. A
 * script started by a story that fails is canceled; otherwise it would hold up all others.
 */
test.describe.configure({ mode: 'default', timeout: 120_000 })

test.afterEach(async ({ page }) => {
  const id = new URL(page.url()).searchParams.get('job')
  if (id === null) return
  const { token } = await signInAsAdmin(page)
  await callApi(page, token, `/admin/automation/jobs/${id}/cancel`)
})

const preprocess = '/dashboard/admin/mission-control?view=preprocess'

const flagOf = (page: Page, label: string) => page.getByRole('switch', { name: label })
const log = (page: Page) => page.getByRole('log')
const consoleOf = (page: Page) => page.getByRole('region', { name: 'Error & Debugging Console' })
const press = (page: Page, button: string) =>
  consoleOf(page).getByRole('button', { name: button, exact: true }).click()

/** The status line shows the specification’s words, one at a time. */
const expectStatus = (page: Page, words: string) =>
  expect(consoleOf(page).getByRole('status').filter({ hasText: words }).first()).toBeVisible({
    timeout: 60_000,
  })

async function openConsole(page: Page): Promise<void> {
  await signInAsAdmin(page)
  await page.goto(preprocess)
  await expect(consoleOf(page).getByText('Stream inactive')).toBeVisible()
  await page.getByRole('combobox', { name: 'Script', exact: true }).selectOption('self-check')
}

type SelfCheck = { ask?: boolean; fail?: boolean; lines?: number; seconds?: number }

async function startSelfCheck(
  page: Page,
  { ask = false, fail = false, lines, seconds }: SelfCheck,
): Promise<string> {
  for (const [flag, wanted] of [
    ['Test', false],
    ['Ask', ask],
    ['Fail', fail],
  ] as const) {
    if ((await flagOf(page, flag).isChecked()) !== wanted) await flagOf(page, flag).press('Space')
  }
  if (lines !== undefined) await page.getByRole('textbox', { name: 'Lines' }).fill(String(lines))
  if (seconds !== undefined) await page.getByRole('textbox', { name: 'Seconds' }).fill(String(seconds))
  await press(page, 'Start')
  await expect(page).toHaveURL(/job=[0-9a-f-]{36}/)
  return new URL(page.url()).searchParams.get('job') ?? ''
}

/** Waits until at least this many lines have arrived, by the height of the log. */
const expectLines = (page: Page, count: number) =>
  expect
    .poll(() => log(page).evaluate((element) => element.scrollHeight / 20), { timeout: 60_000 })
    .toBeGreaterThan(Math.max(count, 35))

/** Every line of the log with this beginning, as Copy returns them. */
async function readLines(page: Page, beginning: string): Promise<string[]> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await press(page, 'Copy')
  await expect(page.getByText('Log copied').first()).toBeVisible()
  const copy = await page.evaluate(() => navigator.clipboard.readText())
  // Time and stream come before the text.
  const lines = copy
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' ').slice(2).join(' '))
  return lines.filter((line) => line.startsWith(beginning))
}

/** Each numbered line once. A line on one stream may overtake its neighbor on the other. */
async function expectEveryLine(page: Page, count?: number): Promise<void> {
  const numbers = (await readLines(page, 'Line ')).map((line) => Number(line.split(' ')[1]))
  const most = count ?? numbers.length
  expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: most }, (_, n) => n + 1))
}

test('a script is started and watched to its end; its log is scrolled, followed, searched and filtered', async ({
  page,
}) => {
  await openConsole(page)
  await expect(page.getByRole('region', { name: 'Manage Recent Staging Files' })).toContainText(
    'This script uses live datasets; no staging file needed.',
  )
  await expect(log(page)).toHaveText('waiting for stream…')
  await expect(consoleOf(page).getByRole('button', { name: 'Manual', exact: true })).toBeDisabled()
  await expect(flagOf(page, 'Test')).toBeChecked()
  await expect(flagOf(page, 'Dry run')).toBeChecked()
  await expect(page.getByText('--test --dry-run')).toBeVisible()
  await page.getByRole('button', { name: 'Show Instructions' }).click()
  await expect(page.getByText(/It changes no listing\./)).toBeVisible()
  await page.getByRole('button', { name: 'Hide Instructions' }).click()

  const id = await startSelfCheck(page, { lines: 300, seconds: 5 })
  await expectStatus(page, 'Streaming…')
  await expect(page.getByText(id)).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Progress of the script' })).toBeVisible()
  await expectLines(page, 60)
  await log(page).hover()
  await page.mouse.wheel(0, -400)
  const follow = page.getByRole('button', { name: /^Follow log/ })
  await expect(follow).toBeVisible()
  const top = await log(page).evaluate((element) => element.scrollTop)
  await expect(follow).toHaveText(/new\)$/)
  expect(await log(page).evaluate((element) => element.scrollTop)).toBe(top)
  await follow.click()
  await expectStatus(page, 'Job completed')
  await expect(page.getByText('300 of 300 · Printing lines')).toBeVisible()
  await expectEveryLine(page, 300)
  await expect(log(page).getByText('Everything works.')).toBeVisible()

  // An error line itself: lines of stdout and stderr may swap places, because they are two pipes.
  await page.getByRole('searchbox', { name: 'Search the log' }).fill('LINE 120 of')
  await page.keyboard.press('Enter')
  await expect(page.getByText('1 of 1', { exact: true })).toBeVisible()
  await expect(log(page).locator('mark')).toHaveText('Line 120 of')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Next error' }).click()
  await expect(log(page).locator('[data-current]')).toContainText('Line 130 of 300')
  await page.getByRole('radiogroup', { name: 'Level' }).getByText('Errors').click()
  expect(await readLines(page, '')).toEqual(
    Array.from({ length: 30 }, (_, n) => `Line ${(n + 1) * 10} of 300`),
  )
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toMatch(/^job-.*\.log$/)

  await page.getByRole('link', { name: 'View' }).click()
  await expect(page).toHaveURL(new RegExp(`job=${id}`))
  await expect(page.getByRole('link', { name: 'Jobs Watcher' })).toHaveAttribute('aria-current', 'page')
})

test('a script’s question is answered, why it failed is shown, input reaches the next one, and Stop / Break ends it', async ({
  page,
}) => {
  await openConsole(page)
  await startSelfCheck(page, { ask: true, fail: true, lines: 10, seconds: 0 })
  const question = page.getByRole('region', { name: 'Continue with the self-check?' })
  await expect(question).toBeVisible({ timeout: 60_000 })
  await lookAt(page, 'mission-control-question', 'light')
  await question.getByRole('button', { name: 'Send answer' }).click()
  await expect(question.getByText('Choose one of these')).toBeVisible()
  await question.getByRole('combobox', { name: 'Go' }).selectOption('yes')
  await question.getByRole('textbox', { name: 'Note' }).fill('as agreed')
  await question.getByRole('button', { name: 'Send answer' }).click()
  await expect(question).toBeHidden({ timeout: 60_000 })
  await expectStatus(page, 'Job failed')
  await expect(log(page).getByText('Answered: yes (as agreed)')).toBeVisible()
  await expect(
    log(page)
      .getByText(/Failed as requested/)
      .first(),
  ).toBeVisible()

  await press(page, 'Clear')
  await startSelfCheck(page, { lines: 600, seconds: 60 })
  await expectLines(page, 10)
  await page.getByLabel('Manual command').fill('are you there?')
  await press(page, 'Send')
  await expect(log(page).getByText('Received: are you there?')).toBeVisible()
  await press(page, 'Close')
  await expect(page.getByLabel('Manual command')).toBeHidden()
  await press(page, 'Manual')
  await expect(page.getByLabel('Manual command')).toBeVisible()

  await press(page, 'Clear')
  await expect(log(page).getByText('Received: are you there?')).toBeHidden()
  await press(page, 'Stop / Break')
  await expectStatus(page, 'Stream stopped')
  await expect(consoleOf(page).getByText('cancelled', { exact: true }).first()).toBeVisible()
  await press(page, 'Clear')
  await expectStatus(page, 'Console cleared')
  await expect(log(page)).toHaveText('waiting for stream…')
  await expect(page).not.toHaveURL(/job=/)
})

test('a stream that is lost twice resumes without losing or repeating a line; a reload finds the job again', async ({
  page,
}) => {
  await makeStreamsCuttable(page)
  await openConsole(page)
  const id = await startSelfCheck(page, { lines: 400, seconds: 10 })
  await expectLines(page, 10)
  await cutStream(page)
  await expectStatus(page, 'Streaming…')
  await expectLines(page, 120)
  await expectEveryLine(page)
  await cutStream(page)
  await expectLines(page, 200)

  await page.reload()
  await expect(page.getByText(id)).toBeVisible()
  await expect(page.getByRole('textbox', { name: 'Lines' })).toHaveValue('400')
  await expect(flagOf(page, 'Test')).not.toBeChecked()
  await expectStatus(page, 'Job completed')
  await expectEveryLine(page, 400)
})

/** An offline browser keeps its open connections, so streams are cut from here. */
async function makeStreamsCuttable(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const open = window.fetch
    const cuts: AbortController[] = []
    window.addEventListener('cut-streams', () => {
      for (const cut of cuts.splice(0)) cut.abort()
    })
    window.fetch = (input, init) => {
      if (!String(input).endsWith('/stream')) return open(input, init)
      const cut = new AbortController()
      cuts.push(cut)
      const signals = [cut.signal, init?.signal].filter((signal) => signal instanceof AbortSignal)
      return open(input, { ...init, signal: AbortSignal.any(signals) })
    }
  })
}

async function cutStream(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await page.evaluate(() => window.dispatchEvent(new Event('cut-streams')))
  await expect(page.getByText('Stream error').first()).toBeVisible()
  await expectStatus(page, 'No connection')
  await page.context().setOffline(false)
}

import { randomBytes } from 'node:crypto'
import type { Locator, Page, Request } from '@playwright/test'
import { signInAsAdmin } from '#tests/e2e/support/admin.ts'
import { expectNoSeriousAxe } from '#tests/e2e/support/axe.ts'
import { callApi } from '#tests/e2e/support/people.ts'
import { lookAt } from '#tests/e2e/support/screenshots.ts'
import { expect, test } from '#tests/e2e/support/story.ts'

// Jobs of other stories are waited for.
test.describe.configure({ timeout: 120_000 })

const MINUTE = 60_000
const editor = (page: Page) => page.getByRole('region', { name: 'Editor' })
const tools = (page: Page) => page.getByRole('region', { name: 'Manage Recent Staging Files' })
const plan = (page: Page) => page.getByRole('region', { name: 'Plan', exact: true })
const openTab = (page: Page, name: 'File' | 'Taxonomy' | 'Plan') =>
  page.getByRole('tab', { name: new RegExp(`^${name}`) }).click()
const taxonomy = (page: Page) => page.getByRole('region', { name: 'Taxonomy resolver' })
const debugging = (page: Page) => page.getByRole('region', { name: 'Error & Debugging Console' })
const press = (page: Page, name: string) => tools(page).getByRole('button', { name, exact: true }).click()

const newWord = () => `lot${randomBytes(4).toString('hex')}`

/** A row of a yard's list; `word` is in no other part's name. */
const row = (word: string, number: number, changes: object = {}) => ({
  partname: `Alternator ${word} ${number}`,
  partyear: '2012',
  partmanu: 'Toyota',
  partmodel: 'Camry',
  partnum: `27060-${word.slice(3).toUpperCase()}-${number}`,
  partprice: 80 + number,
  partcategory: 'Alternater',
  partgrade: 'A',
  ...changes,
})

/** As the link of an import has it. */
const stagingAddress = (path: string) =>
  `/dashboard/admin/mission-control?${new URLSearchParams({ view: 'preprocess', root: 'ecomm', path })}`

type Saved = { version: number }

/** Saves a file over the API, as another administrator would. */
async function saveFile(page: Page, token: string, path: string, rows: readonly object[]): Promise<Saved> {
  const reply = await page.request.put('/api/admin/automation/staging/file', {
    headers: { authorization: `Bearer ${token}` },
    data: { root: 'ecomm', path, contents: JSON.stringify(rows), message: 'From the yard' },
  })
  expect(reply.ok(), await reply.text()).toBe(true)
  return (await reply.json()) as Saved
}

async function readRows(page: Page, token: string, path: string): Promise<Record<string, unknown>[]> {
  const reply = await page.request.get('/api/admin/automation/staging/file', {
    headers: { authorization: `Bearer ${token}` },
    params: { root: 'ecomm', path },
  })
  expect(reply.ok(), await reply.text()).toBe(true)
  return JSON.parse(((await reply.json()) as { contents: string }).contents)
}

/** Makes a file and opens it, as the link of an import does. */
async function openFile(page: Page, rows: readonly object[], word: string) {
  const { token } = await signInAsAdmin(page)
  const path = `/${word}.json`
  await saveFile(page, token, path, rows)
  await page.goto(stagingAddress(path))
  await expect(editor(page).getByText('Version 1 ·')).toBeVisible({ timeout: MINUTE })
  return { token, path }
}

/** How many parts anybody finds in the catalogue. */
const expectLive = (page: Page, word: string, count: number) =>
  expect
    .poll(
      async () =>
        ((await (await page.request.get(`/api/parts?q=${word}`)).json()) as { total: number }).total,
      {
        timeout: MINUTE,
      },
    )
    .toBe(count)

/** Writes over the whole text, as a paste does. */
async function writeJson(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Staged file as JSON' })
  await field.click()
  await page.keyboard.press('ControlOrMeta+A')
  await page.keyboard.insertText(text)
}

/** Runs a script on the file that is open, for good; loads the version that it made. */
async function clean(page: Page, script: string, version: number): Promise<void> {
  await page.getByRole('combobox', { name: 'Script' }).selectOption(script)
  const switches = page.getByRole('group', { name: 'Flags' }).getByRole('switch')
  for (const each of await switches.all()) if (await each.isChecked()) await each.press('Space')
  const jobOf = () => new URL(page.url()).searchParams.get('job')
  const before = jobOf()
  await debugging(page).getByRole('button', { name: 'Start', exact: true }).click()
  await expect.poll(jobOf, { timeout: MINUTE }).not.toBe(before)
  await expect(debugging(page).getByText('Job completed').first()).toBeVisible({ timeout: MINUTE })
  await expect(page.getByRole('log')).toContainText(`Saved as version ${version}`)
  const newer = page.getByRole('status').filter({ hasText: `Version ${version} by` })
  await expect(newer).toContainText(`(${script})`)
  await newer.getByRole('button', { name: 'Load it' }).click()
  await expect(editor(page).getByText(`Version ${version} ·`)).toBeVisible()
}

async function writeFirstCell(grid: Locator, text: string): Promise<void> {
  await grid.locator('[aria-rowindex="2"] [role=gridcell]').first().click()
  await grid.press('F2')
  await grid.getByRole('textbox').fill(text)
  await grid.getByRole('textbox').press('Enter')
}

/** Holds the answers to a page's next reads of a file, or to its saves of any: the browser does not always show a body. */
async function holdAnswers(page: Page, method: 'GET' | 'PUT', path: string) {
  const [asked, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const isOne = (request: Request) => {
    const { pathname, searchParams } = new URL(request.url())
    const isThis = method === 'PUT' || searchParams.get('path') === path
    return request.method() === method && pathname.endsWith('/staging/file') && isThis
  }
  await page.route('**/staging/file*', async (route) => {
    if (!isOne(route.request())) return route.fallback()
    asked.resolve()
    await released.promise
    await route.fallback()
  })
  return { asked: asked.promise, release: () => released.resolve(), isOne }
}

async function resolveNames(page: Page): Promise<void> {
  await press(page, 'Resolve Taxonomy')
  const matches = taxonomy(page).getByRole('region', { name: 'How names were matched' })
  await expect(matches.getByRole('row', { name: /Manufacturer Chevorlet Chevrolet/ })).toBeVisible()
  await expect(matches.getByRole('row', { name: /Manufacturer Chevy Chevrolet/ })).toBeVisible()
  await expect(matches.getByRole('row', { name: /Manufacturer CHEVROLET Chevrolet/ })).toBeVisible()
  await lookAt(page, 'staging-resolved', 'light')
  await openTab(page, 'File')
  await expect(editor(page).getByText('Version 2 ·')).toBeVisible()
  await openTab(page, 'Taxonomy')
  const unsure = taxonomy(page).getByRole('listitem', { name: 'Model “Cavaleir” of Chevrolet' })
  await unsure.getByRole('button', { name: 'Decide' }).click()
  await expect(unsure.getByText(/^Decided: Cavalier/)).toBeVisible()
  await taxonomy(page).getByRole('button', { name: 'Resolve again' }).click()
  await expect(taxonomy(page).getByText('No uncertain names.')).toBeVisible()
  await openTab(page, 'File')
  await expect(editor(page).getByText('Version 3 ·')).toBeVisible()
}

/** Answers how many listings were made. */
async function promoteFile(page: Page, word: string): Promise<number> {
  await openTab(page, 'Plan')
  await plan(page).getByRole('button', { name: 'Make a plan' }).click()
  await expect(plan(page).getByText('Ready to promote').or(plan(page).getByText('Needs review'))).toBeVisible(
    { timeout: MINUTE },
  )
  const planned = plan(page).getByRole('article', { name: /Row 1: .*Camry/ })
  await expect(planned).toContainText('Alternator')
  const refused = plan(page).getByRole('region', { name: 'Refused rows' })
  await expect(refused).toContainText('Row 5: Model is missing')
  await expectLive(page, word, 0)
  await lookAt(page, 'staging-plan')
  await plan(page).getByRole('button', { name: 'Promote this plan' }).click()
  await expect(page.getByText('Promote enqueued')).toBeVisible()
  const receipt = plan(page).getByRole('region', { name: 'Receipt' })
  await expect(receipt).toContainText('Live since', { timeout: MINUTE })
  await lookAt(page, 'staging-live', 'light')
  return Number(/Created\s*(\d+)/.exec((await receipt.textContent()) ?? '')?.[1])
}

type LivePart = {
  partslug: string
  partname: string
  heading: string | null
  partmanuname: string
}

test('a messy file is cleaned, becomes listings, and is undone', async ({ page }) => {
  test.setTimeout(4 * MINUTE)
  const word = newWord()
  const chevrolet = (partmanu: string, partmodel: string) => ({ partmanu, partmodel })
  const messy = [
    row(word, 1, { partmanu: 'Toyta', partmodel: 'Camrey' }),
    row(word, 2, chevrolet('Chevy', 'Cavaleir')),
    row(word, 3, chevrolet('Chevorlet', 'Cavaleir')),
    row(word, 4, chevrolet('CHEVROLET', 'Malibu')),
    row(word, 5, { partmodel: '' }),
    row(word, 6),
    row(word, 6),
  ]
  const { token, path } = await openFile(page, messy, word)
  await lookAt(page, 'staging')

  await resolveNames(page)
  await clean(page, 'h1-optimizer', 4)
  for (const { h1 } of await readRows(page, token, path)) {
    expect(h1).not.toMatch(/Toyta|Camrey|Chevy|Chevorlet|CHEVROLET/)
  }

  const created = await promoteFile(page, word)
  expect(created).toBeGreaterThanOrEqual(5)
  await expectLive(page, word, created)
  const reply = await page.request.get(`/api/parts?q=${word}&perPage=100`)
  const cards = ((await reply.json()) as { items: Pick<LivePart, 'partslug' | 'partname'>[] }).items
  const slug = cards.find(({ partname }) => partname === `Alternator ${word} 1`)?.partslug
  const camry = (await (await page.request.get(`/api/auto-part/${slug}`)).json()) as LivePart
  expect(camry).toMatchObject({
    partmanuname: 'Toyota',
    heading: expect.stringContaining('Toyota Camry'),
  })
  const shown = await page.context().newPage()
  await shown.goto(`/parts/${slug}`)
  await expect(shown.getByRole('heading', { level: 1 })).toHaveText(camry.heading ?? '')
  await shown.close()

  await plan(page).getByRole('button', { name: 'Undo', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Undo promotion' }).click()
  await expect(plan(page).getByText('Undone', { exact: true }).first()).toBeVisible({ timeout: MINUTE })
  await expectLive(page, word, 0)
  await openTab(page, 'File')
  await expect(tools(page).getByRole('button', { name: new RegExp(word) })).toContainText('rolled back')
})

test('what cannot be done says why; of two who save the second sees what the first changed; a file is edited as a grid', async ({
  page,
}) => {
  const word = newWord()
  const { token, path } = await openFile(page, [row(word, 1), row(word, 2)], word)
  await test.step('what cannot be done says why, by its line', async () => {
    await writeJson(page, '[\n  {"partname": "Hood"}\n  {"partname": "Door"}\n]')
    await expect(editor(page).getByText(/^Line 3, column 3: /)).toBeVisible()
    await press(page, 'Save')
    await expect(page.getByRole('alert').getByText(/at line 3, column 3/)).toBeVisible()
    await editor(page).getByText('CSV', { exact: true }).click()
    await expect(page.getByRole('alert').getByText(/Line 3 is not valid JSON/)).toBeVisible()
    await writeJson(page, '{"rows": []}')
    await editor(page).getByText('CSV', { exact: true }).click()
    await expect(
      page.getByRole('alert').getByText(/CSV needs a list of objects, but this text is an object/),
    ).toBeVisible()

    page.once('dialog', (question) => question.accept())
    await page.reload()
    await expect(editor(page).getByText('Version 1 ·')).toBeVisible()
    await tools(page).getByRole('textbox', { name: 'Path' }).fill('')
    for (const button of ['Load', 'Save', 'Resolve Taxonomy', 'Promote']) {
      await press(page, button)
      await expect(page.getByRole('alert').getByText('Enter a staging file path first')).toBeVisible()
      await page.getByRole('alert').getByRole('button', { name: 'Close this message' }).click()
      await expect(page.getByRole('alert')).toHaveCount(0)
    }
    await tools(page).getByRole('textbox', { name: 'Path' }).fill(`ecomm++${word}.csv/`)
    await writeJson(page, '[]')
    await press(page, 'Load')
    await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
    await expect(tools(page).getByText(`“ecomm++${word}.csv/” was read as /${word}.json`)).toBeVisible()
    await expect(editor(page).getByText('Version 1 ·')).toBeVisible()
    await expect(editor(page).getByText('Unsaved changes')).toBeHidden()
  })
  await test.step('the second to save sees what the first changed, and chooses', async () => {
    await editor(page).getByText('JSON', { exact: true }).click()
    await writeJson(page, JSON.stringify([row(word, 1, { partgrade: 'C' }), row(word, 2)]))
    await expect(editor(page).getByText('Unsaved changes')).toBeVisible()
    await saveFile(page, token, path, [row(word, 1), row(word, 2, { partprice: 999 })])

    await press(page, 'Save')
    const dialog = page.getByRole('dialog', { name: 'Also changed by someone else' })
    await expect(dialog.getByRole('article', { name: 'Row 2 changed' })).toContainText('999')
    await expectNoSeriousAxe(page)
    await dialog.getByRole('button', { name: 'Load theirs' }).click()
    await expect(editor(page).getByText('Version 2 ·')).toBeVisible()
    await expect(editor(page).getByText('Unsaved changes')).toBeHidden()

    await writeJson(page, JSON.stringify([row(word, 1, { partgrade: 'C' }), row(word, 2)]))
    await saveFile(page, token, path, [row(word, 1), row(word, 2, { partprice: 777 })])
    await press(page, 'Save')
    await dialog.getByRole('button', { name: 'Keep mine as the newest' }).click()
    await expect(editor(page).getByText('Version 4 ·')).toBeVisible()
    expect(
      (await readRows(page, token, path)).map(({ partgrade, partprice }) => [partgrade, partprice]),
    ).toEqual([
      ['C', 81],
      ['A', 82],
    ])

    // What is not saved is not lost unawares.
    await writeJson(page, '[]')
    await page.getByRole('link', { name: 'Jobs Watcher' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click()
    await expect(editor(page).getByText('Unsaved changes')).toBeVisible()
  })
  await test.step('another file is edited as a grid, compared and restored', () => editAsGrid(page, token))
})

async function editAsGrid(page: Page, token: string): Promise<void> {
  const word = newWord()
  const fits = [{ make: 'Toyota', years: [2012, 2013] }]
  const path = `/${word}.json`
  await saveFile(page, token, path, [row(word, 1, { fits }), row(word, 2)])
  const box = tools(page).getByRole('textbox', { name: 'Path' })
  await box.fill(path)
  await box.press('Enter')
  await page.getByRole('dialog').getByRole('button', { name: 'Discard changes' }).click()
  await expect(editor(page).getByText('Version 1 ·')).toBeVisible()
  await editor(page).getByText('CSV', { exact: true }).click()
  const grid = page.getByRole('grid', { name: 'Staged file as CSV' })
  await writeFirstCell(grid, 'Starter')
  await editor(page).getByRole('button', { name: 'Add Column' }).click()
  await page.getByRole('textbox', { name: 'Column name' }).fill('colour')
  await page.getByRole('button', { name: 'Add', exact: true }).click()
  await expect(grid.getByRole('columnheader', { name: 'colour' })).toBeVisible()
  await editor(page).getByRole('button', { name: 'Add Row' }).click()
  await expect(grid).toHaveAttribute('aria-rowcount', '4')
  await expectNoSeriousAxe(page)
  const answer = await holdAnswers(page, 'PUT', path)
  await page.keyboard.type('Door')
  // What is being written is saved too; what is written while that is under way is not.
  await page.keyboard.press('ControlOrMeta+s')
  await answer.asked
  await writeFirstCell(grid, 'Wiper')
  answer.release()
  await expect(editor(page).getByText('Version 2 ·')).toBeVisible()
  await expect(editor(page).getByText('Unsaved changes')).toBeVisible()
  await expect(grid.getByText('Wiper')).toBeVisible()
  const rows = await readRows(page, token, path)
  expect(rows[0]).toEqual(row(word, 1, { fits, partname: 'Starter' }))
  expect(rows[2]).toEqual({ partname: 'Door' })

  // It would lie over the drawer's corner.
  await page.getByRole('button', { name: 'Close this message' }).click()
  await editor(page).getByRole('button', { name: 'Versions' }).click()
  const drawer = page.getByRole('dialog', { name: 'Versions' })
  await expect(drawer.getByText('Version 2: UI save')).toBeVisible()
  await expect(drawer.getByRole('article', { name: 'Row 1 changed' })).toContainText('Starter')
  await expect(drawer.getByRole('article', { name: 'Row 3 added' })).toContainText('Door')
  await expectNoSeriousAxe(page)
  await drawer.getByRole('button', { name: 'Restore version 1' }).click()
  const question = page.getByRole('dialog', { name: 'Discard unsaved changes?' })
  await question.getByRole('button', { name: 'Discard changes' }).click()
  await expect(editor(page).getByText('Version 3 ·')).toBeVisible()
  await expect(grid.getByText('Wiper')).toHaveCount(0)
  expect(await readRows(page, token, path)).toEqual([row(word, 1, { fits }), row(word, 2)])
}

test('an answer that comes late takes the place of nothing that was asked for or typed meanwhile', async ({
  page,
}) => {
  const word = newWord()
  const { token, path } = await openFile(page, [row(word, 1), row(word, 2)], word)
  await editor(page).getByText('CSV', { exact: true }).click()
  const grid = page.getByRole('grid', { name: 'Staged file as CSV' })
  // Of two files that were asked for, the one that was asked for last stays, whichever comes last.
  const other = `/${word}-other.json`
  await saveFile(page, token, other, [row(word, 9)])
  const late = await holdAnswers(page, 'GET', path)
  await press(page, 'Load')
  await late.asked
  const box = tools(page).getByRole('textbox', { name: 'Path' })
  await box.fill(other)
  await box.press('Enter')
  await expect(editor(page).getByText('Version 1 ·')).toBeVisible()
  const arrived = page.waitForResponse((response) => late.isOne(response.request()))
  late.release()
  await arrived
  await writeFirstCell(grid, 'Mirror')
  await press(page, 'Save')
  await expect(editor(page).getByText('Version 2 ·')).toBeVisible()
  await expect(box).toHaveValue(other)
  expect((await readRows(page, token, other))[0]).toEqual(row(word, 9, { partname: 'Mirror' }))

  // What the names were made into takes the place of nothing that was typed meanwhile: it is offered.
  const read = await holdAnswers(page, 'GET', other)
  await press(page, 'Resolve Taxonomy')
  await read.asked
  await openTab(page, 'File')
  await writeFirstCell(grid, 'Hood')
  read.release()
  await expect(page.getByRole('status').filter({ hasText: 'Version 3 by' })).toBeVisible()
  await press(page, 'Save')
  await expect(page.getByRole('dialog', { name: 'Also changed by someone else' })).toBeVisible()
  await expect(grid.getByText('Hood')).toBeAttached()
})

test('a file above 8 MB is edited cell by cell, a window of rows at a time, and resolved by a job', {
  tag: '@long',
}, async ({ page }) => {
  const word = newWord()
  const { token } = await signInAsAdmin(page)
  const path = `/${word}.json`
  const heavy = (count: number) =>
    Array.from({ length: count }, (_, place) => row(word, place, { partdescription: 'Tested. '.repeat(110) }))
  await saveFile(page, token, path, heavy(7_000))
  await callApi(page, token, '/admin/automation/staging/patch', {
    root: 'ecomm',
    path,
    version: 1,
    addRows: heavy(1_500),
  })
  await page.goto(stagingAddress(path))
  await expect(editor(page).getByText('This file is larger than 8 MB')).toBeVisible()
  await expect(editor(page).getByText('Rows 1 to 500 of 8,500')).toBeVisible()
  await editor(page).getByRole('textbox', { name: 'Go to row' }).fill('8400')
  await editor(page).getByRole('button', { name: 'Go', exact: true }).click()
  await expect(editor(page).getByText('Rows 8,400 to 8,500 of 8,500')).toBeVisible()
  const grid = page.getByRole('grid', { name: 'Staged file as CSV' })
  await writeFirstCell(grid, 'Far down')
  await press(page, 'Save')
  await expect(editor(page).getByText('Version 3 ·')).toBeVisible()
  const reply = await page.request.get('/api/admin/automation/staging/rows', {
    headers: { authorization: `Bearer ${token}` },
    params: { root: 'ecomm', path, from: 8_399, limit: 1 },
  })
  expect(((await reply.json()) as { rows: { fields: object }[] }).rows[0]?.fields).toMatchObject({
    partname: 'Far down',
    partnum: row(word, 1_399).partnum,
  })

  // So many rows are resolved by a job, which is followed to its end.
  await press(page, 'Resolve Taxonomy')
  const counters = taxonomy(page).getByRole('region', { name: /^Counters of / })
  await expect(counters).toBeVisible({ timeout: MINUTE })
  await openTab(page, 'File')
  await expect(editor(page).getByText('Version 4 ·')).toBeVisible()
  // What came of it is there again with the file.
  await page.reload()
  await openTab(page, 'Taxonomy')
  await expect(counters).toBeVisible()
})

test('a dry run is compared in a table, and only what is accepted is written', async ({ page }) => {
  test.setTimeout(4 * MINUTE)
  const word = newWord()
  const notes = ['good cond, w/ brkt', '', 'Part: off my truck']
  const rows = notes.map((partdescription, at) => row(word, at + 1, { partdescription }))
  const { token, path } = await openFile(page, rows, word)
  await page.getByRole('combobox', { name: 'Script' }).selectOption('description-optimizer')
  await page.getByRole('switch', { name: 'Continue on error' }).press('Space')
  await debugging(page).getByRole('button', { name: 'Start', exact: true }).click()
  const compare = page.getByRole('region', { name: 'Compare texts' })
  await expect(compare.getByText('2 to decide, 1 refused.')).toBeVisible({ timeout: MINUTE })
  await expect(debugging(page).getByText('Completed with errors').first()).toBeVisible()
  await expect(compare.getByRole('row', { name: /Row 3/ })).toContainText('“off” is in the description')
  await lookAt(page, 'staging-compare', 'light')
  await compare.getByRole('button', { name: 'Reject Row 2' }).click()
  await compare.getByRole('button', { name: 'Accept Row 1' }).click()
  await compare.getByRole('button', { name: 'Write 1 accepted' }).click()
  await expect(compare.getByText(`1 text written as version 2 of ${path}.`)).toBeVisible()
  const written = (await readRows(page, token, path)).map(({ partdescription }) => partdescription)
  expect(written).toEqual([expect.stringMatching(/^good cond, w\/ brkt\n\nPart: Alternator/), '', notes[2]])
})

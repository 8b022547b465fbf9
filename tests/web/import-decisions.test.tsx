import { screen, waitFor, within } from '@testing-library/dom'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import type { ColumnQuestion } from '#contract/column-questions/questions.ts'
import type { ExampleListing } from '#contract/import-check.ts'
import type { DryRunReply, ImportRecord } from '#contract/imports.ts'
import { openApp } from './support/app.tsx'
import { type FakeRequest, type Handlers, makeUser, newId, proSeller } from './support/fake-server.ts'

/* What a seller sees and is asked before a file goes live. */

const bulkImport = '/dashboard/seller/create-bulk-auto-part-listing'
const header = 'Stock #,Year,Make,Model,Part Type,Part #,Retail price,Status'
const stock = (rows: number) =>
  [
    header,
    ...Array.from(
      { length: rows },
      (_, n) => `W-${n},2012,Toyota,Camry,Alternator,27060-${n},1200.50,${n % 3 === 0 ? 'PEND' : 'OK'}`,
    ),
  ].join('\r\n')

type Preview = DryRunReply['preview']
const isDry = ({ query, body }: FakeRequest) => (query.dryRun ?? body.dryRun) === '1'
const answersIn = ({ body }: FakeRequest): Record<string, unknown> => JSON.parse(body.answers ?? '{}')

const plan = (changes: Partial<Preview['plan'] & object> = {}) => ({
  ...{ creates: 3, updates: 0, ends: 0, held: 0, missing: 0, newNames: [] },
  ...changes,
})

const whole = { create: 3, update: 0, unchanged: 0, merged: 0, refused: 0 }

const staged = (importId = newId()) => ({
  ok: true as const,
  ...{ warnings: [], total: 3, rejected: 0, stagingRef: 'ecomm:a.json', missionControlUrl: '', importId },
  files: { json: 'a.json', csv: 'a.csv' },
})

/** Answers a check as `preview` says, and takes every import. */
const importing =
  (preview: (request: FakeRequest) => Partial<Preview>): NonNullable<Handlers['importCsv']> =>
  (request) =>
    isDry(request)
      ? {
          ok: true as const,
          warnings: [],
          preview: { total: 3, errors: 0, rows: [], whole, plan: plan(), ...preview(request) },
        }
      : staged()

async function openWizard(server: Handlers, as: User = proSeller()) {
  const app = await openApp(bulkImport, {
    as,
    server: {
      listMappings: { mine: [], global: [] },
      listImports: { items: [], total: 0, page: 1, perPage: 10 },
      ...server,
    },
  })
  await screen.findByRole('tab', { selected: true })
  return app
}

async function chooseFile(user: UserEvent): Promise<void> {
  const input = document.querySelector('input[type=file]') as HTMLInputElement
  await user.upload(input, new File([stock(3)], 'stock.csv', { lastModified: 1_700_000_000_000 }))
}

const press = async (user: UserEvent, name: string | RegExp) =>
  user.click(await screen.findByRole('button', { name }))
const openTab = (name: string) =>
  waitFor(() => expect(screen.getByRole('tab', { selected: true })).toHaveAccessibleName(name))
const region = (name: string | RegExp) => screen.findByRole('region', { name })

const example = (changes: Partial<ExampleListing> = {}): ExampleListing => ({
  ...{ why: 'dearest', row: 12, title: '2012 Toyota Camry Alternator', price: 1_200.5, side: 'Left' },
  ...{ miles: 90_000, grade: 'B', category: 'Alternator', place: 'Tulsa, OK', partnum: '27060-0' },
  columns: { price: 'Retail price', title: 'Part Type', partnum: 'Part #' },
  ...changes,
})

test('five listings are shown before they are live, and a click on a wrong value opens its column', async () => {
  const whys = ['dearest', 'cheapest', 'common', 'corrected', 'drawn'] as const
  const examples = whys.map((why, at) => example({ why, row: at + 2, ...(at === 1 && { miles: null }) }))
  const { user } = await openWizard({ importCsv: importing(() => ({ examples })) })
  await chooseFile(user)
  await openTab('Validate (Dry-run)')
  const cards = within(await region('Is this right?')).getAllByRole('listitem')
  expect(cards).toHaveLength(5)
  expect(cards[0]).toHaveTextContent(
    /2012 Toyota Camry Alternator.*Most expensive · row 2.*\$1,200\.50.*Grade B.*Left.*90,000 miles.*Tulsa, OK/,
  )
  expect(cards[1]).toHaveTextContent('No miles')
  // Nothing leads to a page that is not there yet.
  expect(within(cards[0] as HTMLElement).queryByRole('link')).toBeNull()
  const price = within(cards[0] as HTMLElement).getByRole('button', { name: '$1,200.50' })
  expect(price).toHaveAccessibleDescription('Price, from “Retail price”. Choose another column')
  await user.click(price)
  await openTab('Template / Mapping')
  await waitFor(() => expect(document.activeElement?.id).toBe('column-partprice'))
  // A field without a column is among those that are hidden at first.
  await user.click(screen.getByRole('tab', { name: 'Validate (Dry-run)' }))
  const second = within(await region('Is this right?')).getAllByRole('listitem')[1] as HTMLElement
  await user.click(within(second).getByRole('button', { name: 'No miles' }))
  await waitFor(() => expect(document.activeElement?.id).toBe('column-partmiles'))
})

const priceQuestion: ColumnQuestion = {
  id: 'price:Part #',
  kind: 'price',
  column: 'Part #',
  sentence: 'Is “Part #” your price? First parts would cost $638 and $320.',
  values: [{ value: '638', rows: 1 }],
  choices: [
    { id: 'yes', label: 'Yes, “Part #”' },
    { id: 'Retail price', label: 'Retail price ($1200.50)' },
    { id: 'none', label: 'None of these' },
  ],
  several: false,
  takesRate: false,
}
const currencyQuestion: ColumnQuestion = {
  id: 'currency:Retail price',
  kind: 'currency',
  column: 'Retail price',
  sentence:
    'Your prices are in Mexican pesos. We list in US dollars. Enter a rate, or leave these parts out.',
  values: [{ value: '1200.50', rows: 1 }],
  choices: [
    { id: 'rate', label: 'Convert at a rate: dollars for 1 MXN' },
    { id: 'leave-out', label: 'Leave out these parts' },
  ],
  several: false,
  takesRate: true,
}
const stateQuestion: ColumnQuestion = {
  id: 'state:Status',
  kind: 'state',
  column: 'Status',
  sentence: 'Which of these are for sale?',
  values: [
    { value: 'OK', rows: 2 },
    { value: 'PEND', rows: 1 },
  ],
  choices: [
    { id: 'OK', label: 'OK' },
    { id: 'PEND', label: 'PEND' },
  ],
  several: true,
  takesRate: false,
}
const all = [priceQuestion, currencyQuestion, stateQuestion]

test('questions about columns come before Run, and their answers go with the next check and with the run', async () => {
  const { user, server } = await openWizard({
    importCsv: importing((request) =>
      Object.keys(answersIn(request)).length > 0
        ? { remembered: [{ id: 'currency:Retail price', sentence: 'Prices are Mexican pesos at 0.05' }] }
        : { questions: all },
    ),
    readImport: () => liveImport(),
    readReceipt: { ...receipt },
  })
  await chooseFile(user)
  const price = within(await region(priceQuestion.sentence))
  expect(
    screen.getByRole('heading', { name: 'Nothing is live yet. We need a few answers first.' }),
  ).toHaveFocus()
  expect(screen.getByRole('button', { name: 'Run import' })).toBeDisabled()
  expect(screen.getByText(/^Answer the questions about your columns first/)).toBeVisible()
  expect(screen.getByRole('button', { name: 'Use these answers' })).toBeDisabled()

  await user.click(price.getByRole('radio', { name: 'No, it is Retail price ($1200.50)' }))
  const currency = within(await region(currencyQuestion.sentence))
  await user.click(currency.getByRole('radio', { name: /^Convert at a rate/ }))
  const rate = currency.getByRole('textbox', { name: 'Dollars for 1 MXN' })
  await user.type(rate, '0.0x')
  expect(currency.getByText('Write the rate as a number, such as 0.05')).toBeVisible()
  await user.clear(rate)
  await user.type(rate, '0.05')
  expect(rate).toHaveValue('0.05')
  expect(currency.getByRole('status')).toHaveTextContent(
    '1 MXN = 0.05 dollars. “1200.50” is listed at $60.03.',
  )
  expect(screen.queryByRole('button', { name: /Remove the words/ })).toBeNull()
  const state = within(await region(stateQuestion.sentence))
  await user.click(state.getByRole('checkbox', { name: 'OK (2 rows)' }))
  await user.click(screen.getByRole('button', { name: 'Use these answers' }))

  const expected = {
    'price:Part #': 'Retail price',
    'currency:Retail price': 'rate:0.05',
    'state:Status': ['OK'],
  }
  const remembered = await region('From your earlier answers')
  expect(remembered).toHaveTextContent('Prices are Mexican pesos at 0.05.')
  expect(screen.queryByRole('region', { name: priceQuestion.sentence })).toBeNull()
  await press(user, 'Run import')
  await waitFor(() => expect(server.asked('importCsv')).toHaveLength(3))
  const [first, second, run] = server.asked('importCsv').map(answersIn)
  expect([first, second, run]).toEqual([{}, expected, expected])
})

test('what was remembered can be changed', async () => {
  const { user, server } = await openWizard({
    importCsv: importing(() => ({
      remembered: [{ id: 'currency:Retail price', sentence: 'Prices are Mexican pesos at 0.05' }],
    })),
  })
  await chooseFile(user)
  await openTab('Validate (Dry-run)')
  await press(user, 'Change: Prices are Mexican pesos at 0.05')
  // It is no open question: the run may go on as remembered.
  expect(screen.getByRole('button', { name: 'Run import' })).toBeEnabled()
  await user.click(await screen.findByRole('radio', { name: 'Leave these parts out' }))
  await press(user, 'Use this answer')
  await waitFor(() => expect(server.asked('importCsv')).toHaveLength(2))
  expect(server.asked('importCsv').map(answersIn)[1]).toEqual({ 'currency:Retail price': 'leave-out' })
})

test('a run that needs another answer than its check asks it, and nothing is imported', async () => {
  const { user, server } = await openWizard({
    importCsv: (request) => {
      if (isDry(request))
        return { ok: true, warnings: [], preview: { total: 3, errors: 0, rows: [], whole, plan: plan() } }
      return Response.json(
        { error: 'Columns may be misread', code: 'ANSWER_NEEDED', questions: [stateQuestion] },
        { status: 422 },
      )
    },
  })
  await chooseFile(user)
  await openTab('Validate (Dry-run)')
  await press(user, 'Run import')
  expect(await screen.findByText('Nothing was imported. We need an answer first.')).toBeVisible()
  await user.click(await screen.findByRole('checkbox', { name: 'OK (2 rows)' }))
  await press(user, 'Use this answer')
  await openTab('Validate (Dry-run)')
  await waitFor(() => expect(server.asked('importCsv')).toHaveLength(3))
  expect(server.asked('importCsv').map(answersIn)[2]).toEqual({ 'state:Status': ['OK'] })
})

const liveImport = (): ImportRecord => ({
  ...{ id: newId(), fileName: 'stock.csv', state: 'applied', mode: 'add', stagedAt: null, appliedAt: null },
  ...{ createdAt: '2026-02-01T10:00:00.000Z', undoneAt: null, chunkCount: 1, received: 1, missing: [] },
  ...{ missingChunks: [], total: 3, rejected: 0, files: null, plan: null, review: [], error: null },
  ...{ progress: null, canUndo: true, canWithdraw: false, canConfirm: false, rest: null, answers: [] },
})
const receipt = {
  ...{ importId: newId(), fileName: 'stock.csv', appliedAt: null, approvedBy: null, total: 3, created: 3 },
  ...{ updated: 0, unchanged: 0, ended: 0, merged: 0, rejected: 0, waiting: 0, refused: 0, leftOut: [] },
  ordered: { total: 0, rows: [] },
  ...{ held: { total: 0, rows: [] }, kept: { total: 0, rows: [] }, undone: 0, leftAsIs: 0, left: [] },
  ...{ mode: 'add' as const, state: 'applied' as const, answers: [] },
}

const oneImport = { items: [liveImport()], total: 1, page: 1, perPage: 10 }
const twoImports = { items: [liveImport(), liveImport()], total: 2, page: 1, perPage: 10 }
const mapping = {
  ...{ stocknum: 'Stock #', partyear: 'Year', partmanu: 'Make', partmodel: 'Model', partname: 'Part Type' },
  ...{ partcategory: 'Part Type', partnum: 'Part #', partprice: 'Retail price' },
}
const known = (mode: 'add' | 'replace') => ({ mapping, defaults: { dealername: 'Joe’s' }, answers: {}, mode })
const stockQuestion = 'Is this all of your stock, or additions?'

/** What a file that is all of the stock ends, and one of additions does not. */
const byMode = importing(({ body }) => ({
  plan: plan({ creates: 8, updates: 19, missing: 10, ends: body.mode === 'replace' ? 10 : 0 }),
}))

test('the second file asks once whether it is all of the stock, and the plan counts what ends', async () => {
  const { user, server } = await openWizard({
    importCsv: byMode,
    listImports: oneImport,
    readShape: known('add'),
    readImport: () => liveImport(),
    readReceipt: { ...receipt },
  })
  await chooseFile(user)
  await openTab('Run Import')
  await press(user, 'Check rows')
  await openTab('Validate (Dry-run)')
  await screen.findByText('8 new, 19 change.')
  const question = await region(stockQuestion)
  expect(question).toHaveTextContent('10 of your live parts are not in this file.')
  expect(screen.getByText('8 new, 19 change.')).toBeVisible()
  await press(user, 'All of my stock')
  expect(await screen.findByText('8 new, 19 change, 10 end.')).toBeVisible()
  expect(screen.queryByRole('region', { name: stockQuestion })).toBeNull()
  // The page says what ends, so that no dialog has to.
  await press(user, 'Run import')
  await openTab('Results')
  expect(server.asked('importCsv').map(({ body }) => body.mode)).toEqual(['add', 'replace', 'replace'])
})

test('a third file of known columns is dropped, looked at and run with three clicks', async () => {
  const { user, server } = await openWizard({
    importCsv: byMode,
    listImports: twoImports,
    readShape: known('replace'),
    readImport: () => liveImport(),
    readReceipt: { ...receipt },
  })
  await chooseFile(user)
  // Its check begins by itself, and ends where one decides.
  expect(await screen.findByText('8 new, 19 change, 10 end.')).toBeVisible()
  expect(screen.queryByRole('region', { name: stockQuestion })).toBeNull()
  await press(user, 'Run import')
  await openTab('Results')
  const [check] = server.asked('importCsv')
  expect(JSON.parse(check?.body.mapping)).toEqual(mapping)
  expect(JSON.parse(check?.body.defaults)).toEqual({ dealername: 'Joe’s' })
  // A person chose these columns, earlier; a price is asked about once if it may be another column.
  expect(JSON.parse(check?.body.suggested)).toEqual(['partprice'])
})

test('a file of stock numbers and prices is never taken for all of the stock', async () => {
  const prices = { mapping: { stocknum: 'Stock #', partprice: 'Retail price' }, defaults: {}, answers: {} }
  const { user, server } = await openWizard({
    importCsv: byMode,
    listImports: twoImports,
    readShape: { ...prices, mode: 'replace' },
  })
  await chooseFile(user)
  await user.click(await screen.findByRole('tab', { name: 'Run Import' }))
  expect(await screen.findByText('This file has prices only, so your other parts stay.')).toBeVisible()
  expect(screen.queryByRole('region', { name: stockQuestion })).toBeNull()
  expect(screen.getByRole('radio', { name: /^Add and update/ })).toBeChecked()
  expect(server.asked('readShape')[0]?.body).toEqual({ header: header.split(',') })
})

test('town, phone and name of the yard are asked once, and become the listing defaults', async () => {
  const seller = makeUser({ sellerTier: 'PAID', subscriptionStatus: 'ACTIVE' })
  const { user, server } = await openWizard(
    {
      importCsv: importing(({ body }) => ({
        wants: JSON.parse(body.defaults).partcity ? [] : ['partcity', 'dealerphone', 'dealername'],
      })),
      updateProfile: ({ body }) => ({ ...seller, listingDefaults: body.listingDefaults }),
    },
    seller,
  )
  await chooseFile(user)
  const form = await screen.findByRole('form', { name: 'Where are these parts?' })
  const typed = { Town: 'Tulsa', State: 'oklahoma', Phone: '918 555 0142', 'Name of your yard': 'Joe’s' }
  for (const [label, text] of Object.entries(typed)) await user.type(within(form).getByLabelText(label), text)
  await press(user, 'Use for these parts')
  await waitFor(() => expect(screen.queryByRole('form', { name: 'Where are these parts?' })).toBeNull())
  expect(server.asked('updateProfile').map(({ body }) => body)).toEqual([
    {
      listingDefaults: { city: 'Tulsa', state: 'OK', dealerPhone: '918 555 0142', dealerName: 'Joe’s' },
    },
  ])
  await waitFor(() => expect(server.asked('importCsv')).toHaveLength(2))
  expect(JSON.parse(server.asked('importCsv')[1]?.body.defaults)).toEqual({
    ...{ partcity: 'Tulsa', partstate: 'OK', dealerphone: '918 555 0142', dealername: 'Joe’s' },
  })
  expect(JSON.parse(localStorage.getItem('listingDefaults') ?? '')).toMatchObject({ city: 'Tulsa' })
})

test('Run waits for the check of exactly this file', async () => {
  const answers: (() => void)[] = []
  const { user, server } = await openWizard({
    importCsv: async () => {
      await new Promise<void>((done) => answers.push(done))
      return { ok: true, warnings: [], preview: { total: 3, errors: 0, rows: [], whole, plan: plan() } }
    },
    listImports: oneImport,
    readShape: known('add'),
  })
  await chooseFile(user)
  await openTab('Run Import')
  // The yard says first whether it is all of its stock, so nothing is checked yet.
  const run = await screen.findByRole('button', { name: 'Run import' })
  expect(run).toBeDisabled()
  expect(run).toHaveAccessibleDescription(
    'Run waits for the check of your rows, which shows what would be live.',
  )
  expect(server.asked('importCsv')).toHaveLength(0)
  await press(user, 'Check rows')
  await waitFor(() => expect(answers).toHaveLength(1))
  answers[0]?.()
  // The tab is open while the check runs; its end would lead back to it.
  await screen.findByRole('heading', { name: 'All 3 rows are good.' })
  await user.click(await screen.findByRole('tab', { name: 'Run Import' }))
  expect(await screen.findByRole('button', { name: 'Run import' })).toBeEnabled()
  // Another way to import them is another plan.
  await user.click(screen.getByRole('radio', { name: /^Replace/ }))
  expect(screen.getByRole('button', { name: 'Run import' })).toBeDisabled()
})

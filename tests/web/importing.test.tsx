import { gzipSync } from 'node:zlib'
import { fireEvent, screen, waitFor, within } from '@testing-library/dom'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import type { User } from '#contract/account/accounts.ts'
import { shippedTemplates } from '#contract/column-mapping/shipped-templates.ts'
import type { ImportReceipt, ImportRecord, MappingTemplate } from '#contract/imports.ts'
import { address, openApp } from './support/app.tsx'
import {
  admin,
  type FakeRequest,
  type Handlers,
  makeUser,
  newId,
  proSeller,
  refuse,
} from './support/fake-server.ts'
import { cleanup } from './support/page.ts'

const bulkImport = '/dashboard/seller/create-bulk-auto-part-listing'

/** Finds no errors, and would list every row. */
const allFine = async ({ body }: FakeRequest) => {
  const total = (await (body.file as Blob).text()).trim().split('\n').length - 1
  const whole = { create: total, update: 0, unchanged: 0, merged: 0, refused: 0 }
  return { ok: true as const, warnings: [], preview: { total, errors: 0, rows: [], whole } }
}

async function openWizard(
  as: User = proSeller(),
  server: Handlers = {},
  { path = bulkImport, kept = false } = {},
) {
  const app = await openApp(path, {
    as,
    kept,
    server: {
      listMappings: { mine: [], global: [] },
      listImports: { items: [], total: 0, page: 1, perPage: 10 },
      importCsv: allFine,
      ...server,
    },
  })
  await screen.findByRole('tab', { selected: true })
  return app
}

const openTab = async (name: string) =>
  waitFor(() => expect(screen.getByRole('tab', { selected: true })).toHaveAccessibleName(name))

/** A file that needs no review opens the Run tab; its columns are one click away. */
async function seeColumns(user: UserEvent): Promise<void> {
  await openTab('Run Import')
  await user.click(screen.getByRole('tab', { name: 'Template / Mapping' }))
  await openTab('Template / Mapping')
}

async function chooseFile(user: UserEvent, name: string, content: BlobPart): Promise<void> {
  const input = document.querySelector('input[type=file]') as HTMLInputElement
  await user.upload(input, new File([content], name, { lastModified: 1_700_000_000_000 }))
}

const header = 'Stock #,Year,Make,Model,Part Type,Part #,Retail price,Group'
const stock = (rows: number) =>
  [
    header,
    ...Array.from(
      { length: rows },
      (_, n) => `W-${n},2012,Toyota,Camry,Alternator,27060-${n},40.50,Alternator`,
    ),
  ].join('\r\n')

const press = async (user: UserEvent, name: string) => user.click(await screen.findByRole('button', { name }))

const pickColumn = async (user: UserEvent, field: string, column: string) => {
  const box = document.getElementById(`column-${field}`) as HTMLInputElement
  await user.clear(box)
  await user.type(box, column)
  await user.keyboard('{Enter}')
  await waitFor(() => expect(box).toHaveValue(column))
}

test('a file that is not a table and missing columns are reported before anything is sent', async () => {
  const { user, server } = await openWizard(proSeller(), {}, { path: `${bulkImport}?tab=upload` })
  await press(user, 'Validate (dry run)')
  expect(await screen.findByText('Please choose a CSV or CSV.GZ file')).toBeVisible()
  await chooseFile(user, 'stock.pdf', '%PDF-1.7')
  expect((await screen.findAllByText(/PDF/)).length).toBeGreaterThan(0)
  await chooseFile(user, 'parts.csv', 'Part name;Price\nDoor;10\n')
  await openTab('Template / Mapping')
  expect(await screen.findByText('The cells of the file are separated by semicolons.')).toBeVisible()
  await press(user, 'Check rows')
  expect(
    await screen.findByText(/We can’t find the car. Which column says which car the part is from\?/),
  ).toBeVisible()
  await waitFor(() => expect(document.activeElement?.id).toBe('column-partmanu'))
  expect(server.asked('importCsv')).toEqual([])
})

test('defaults can be entered as JSON, and invalid JSON blocks the check', async () => {
  const { user, server } = await openWizard()
  await chooseFile(user, 'stock.csv', stock(3))
  await seeColumns(user)
  await user.click(screen.getByRole('tab', { name: 'Defaults' }))
  await press(user, 'Advanced: Defaults JSON')
  const json = screen.getByLabelText('Defaults JSON')
  fireEvent.change(json, { target: { value: '{' } })
  await screen.findByText('Defaults JSON is not valid')
  // What was checked before it was changed.
  const earlier = server.asked('importCsv').length
  await press(user, 'Check rows')
  // At the field, and above as the reason why the rows cannot be checked.
  await waitFor(() => expect(screen.getAllByText('Defaults JSON is not valid')).toHaveLength(2))
  fireEvent.change(json, { target: { value: '{"partcity":"Tulsa"}' } })
  await waitFor(() => expect(screen.getByLabelText('City')).toHaveValue('Tulsa'))
  expect(server.asked('importCsv')).toHaveLength(earlier)
})

test('columns are saved as a template that matches the next file of the same kind', async () => {
  const mine: MappingTemplate[] = []
  const seller = proSeller()
  const server: Handlers = {
    listMappings: () => ({ mine, global: [] }),
    createMapping: ({ body }) => {
      const { name, mapping } = body
      const made = {
        id: newId(),
        name,
        scope: 'USER' as const,
        mapping: typeof mapping === 'string' ? JSON.parse(mapping) : mapping,
        description: '',
        reading: null,
        shipped: false,
      }
      mine.push(made)
      return made
    },
    deleteMapping: () => {
      mine.pop()
      return { ok: true }
    },
  }
  const { user } = await openWizard(seller, server)
  await chooseFile(user, 'stock.csv', stock(3))
  await seeColumns(user)
  await pickColumn(user, 'partmodel', 'Make')
  await press(user, 'Save as template')
  const dialog = await screen.findByRole('dialog', { name: 'Save as template' })
  await user.click(within(dialog).getByRole('button', { name: 'Save template' }))
  expect(await within(dialog).findByText('Template name is required')).toBeVisible()
  await user.type(within(dialog).getByLabelText(/Template name/), 'Yard')
  await user.click(within(dialog).getByRole('button', { name: 'Save template' }))
  expect(await screen.findByText('Template saved')).toBeVisible()
  expect(mine[0]?.mapping).toMatchObject({ partmodel: 'Make', partnum: 'Part #' })

  cleanup()
  await openWizard(seller, server, { kept: true })
  await chooseFile(user, 'next.csv', stock(4))
  // All its columns are known, so it could be imported at once.
  await seeColumns(user)
  await waitFor(() => expect(screen.getByRole('combobox', { name: 'Template' })).toHaveValue('Yard'))
  expect(document.getElementById('column-partmodel')).toHaveValue('Make')
  await press(user, 'Check rows')
  expect(await screen.findByRole('heading', { name: 'All 4 rows are good.' })).toBeVisible()

  await user.click(screen.getByRole('tab', { name: 'Template / Mapping' }))
  await press(user, 'Delete template')
  const question = await screen.findByRole('dialog')
  await user.click(within(question).getByRole('button', { name: 'Delete template' }))
  expect(await screen.findByText('Template deleted')).toBeVisible()
  expect(screen.getByRole('combobox', { name: 'Template' })).toHaveValue('')
  expect(document.getElementById('column-partmodel')).toHaveValue('Make')
  await user.click(screen.getByRole('tab', { name: 'Validate (Dry-run)' }))
  expect(await screen.findByRole('heading', { name: 'All 4 rows are good.' })).toBeVisible()
})

test('the user can change how a file is read', async () => {
  const { user, server } = await openWizard()
  const rows = [
    'W-1;2012;Toyota;Camry;Alternator;Alternator;1.299',
    'W-2;2013;Ford;F-150;Door;Front Door;2.500',
  ]
  const columns = 'Stock #;Year;Make;Model;Part name;Category;Retail price'
  await chooseFile(user, 'export.csv', ['My yard', '', columns, ...rows].join('\r\n'))
  expect(await screen.findByText(/Read as UTF-8, semicolons, header in row 3/)).toBeVisible()
  await press(user, 'Check rows')
  expect(await screen.findByText(/Choose what “1.299” means in the column “Retail price”/)).toBeVisible()
  await user.click(screen.getByRole('radio', { name: '$1,299.00 (a comma before the cents)' }))
  await waitFor(() => expect(screen.queryAllByRole('radio')).toEqual([]))
  expect(server.asked('importCsv')).toEqual([])

  await press(user, 'Change how it is read')
  const first = await screen.findByRole('region', { name: 'First rows' })
  expect(first).toHaveTextContent('W-1')
  const row = screen.getByLabelText('Header row')
  await user.clear(row)
  await user.type(row, '4{Enter}')
  expect((await screen.findAllByText('UTF-8, semicolons, header in row 4')).length).toBeGreaterThan(0)
  await press(user, 'Use detected settings')
  expect((await screen.findAllByText('UTF-8, semicolons, header in row 3')).length).toBeGreaterThan(0)
})

test('an eBay listing file is recognized, its template chosen, and its vehicles sent with their part', async () => {
  const global = shippedTemplates('PartHarbor')
  const { user, server } = await openWizard(proSeller(), { listMappings: { mine: [], global } })
  const lines = [
    '*Action(SiteID=eBayMotors|Country=US|Currency=USD|Version=1193),CustomLabel,*Title,Relationship,RelationshipDetails,*StartPrice,*ConditionID,C:Type,C:Manufacturer Part Number',
    'Add,EB-1,2014 Toyota Camry Alternator,,,85.00,3000,Alternator,27060-1',
    ',,,Compatibility,Year=2014|Make=Toyota|Model=Camry,,,,',
    ',,,Compatibility,Year=2015|Make=Toyota|Model=Corolla,,,,',
  ]
  await chooseFile(user, 'ebay.csv', lines.join('\r\n'))
  expect(
    await screen.findByText(/This is your eBay file. We know how to read it, with the template/),
  ).toBeVisible()
  expect(screen.getByRole('combobox', { name: 'Template' })).toHaveValue(
    'eBay Motors File Exchange / Seller Hub',
  )
  await press(user, 'Check rows')
  expect(await screen.findByRole('heading', { name: 'The row is good.' })).toBeVisible()
  const [sent, ...more] = server.asked('importCsv')
  expect(more).toEqual([])
  expect(sent?.query.dryRun ?? sent?.body.dryRun).toBe('1')
  const file = sent?.body.file
  if (!(file instanceof Blob)) throw new Error('No file was sent')
  const [head, part, ...others] = (await file.text()).trimEnd().split(/\r?\n/)
  expect(others).toEqual([])
  expect(part?.split(',')[head?.split(',').indexOf('Fitment') ?? -1]).toBe(
    '2014 Toyota Camry; 2015 Toyota Corolla',
  )
})

test('a file dropped anywhere on the page is checked by itself', async () => {
  const { user } = await openWizard()
  for (const name of ['Results', 'Defaults']) {
    await user.click(screen.getByRole('tab', { name }))
    await openTab(name)
  }
  const dataTransfer = { files: [new File([stock(20)], 'stock.csv')], types: ['Files'], items: [] }
  for (const drag of [fireEvent.dragEnter, fireEvent.dragOver, fireEvent.drop]) {
    drag(screen.getByRole('heading', { level: 1 }), { dataTransfer })
  }
  expect(await screen.findByRole('heading', { name: 'All 20 rows are good.' })).toBeVisible()
})

/** An import that is live. */
const liveImport = (id: string, fileName: string): ImportRecord => ({
  id,
  fileName,
  state: 'applied',
  mode: 'add',
  createdAt: '2026-02-01T10:00:00.000Z',
  stagedAt: null,
  appliedAt: null,
  undoneAt: null,
  chunkCount: 1,
  received: 1,
  missingChunks: [],
  missing: [],
  total: 3,
  rejected: 0,
  files: null,
  plan: null,
  review: [],
  error: null,
  progress: null,
  canUndo: true,
  canWithdraw: false,
  canConfirm: false,
  rest: null,
  answers: [],
})

test('another file can be imported on the same page after one is live', async () => {
  const importId = newId()
  const { user } = await openWizard(proSeller(), {
    importCsv: async (request) =>
      (request.query.dryRun ?? request.body.dryRun) === '1'
        ? allFine(request)
        : {
            ok: true,
            warnings: [],
            total: 3,
            rejected: 0,
            files: { json: 'a.json', csv: 'a.csv' },
            stagingRef: 'ecomm:a.json',
            missionControlUrl: '',
            importId,
          },
    readImport: () => liveImport(importId, 'stock.csv'),
    readReceipt: refuse(404, 'NOT_FOUND', 'No such import'),
  })
  await chooseFile(user, 'stock.csv', stock(3))
  // The tab that the check leaves has a button of this name, too.
  await screen.findByRole('heading', { name: 'All 3 rows are good.' })
  await press(user, 'Run import')
  await openTab('Results')
  await user.click(screen.getByRole('tab', { name: 'Guide' }))
  expect(await screen.findByText('Your file is ready')).toBeVisible()
  await chooseFile(user, 'next.csv', stock(4))
  expect(await screen.findByRole('heading', { name: 'All 4 rows are good.' })).toBeVisible()
})

test('an upload that fails half way can be canceled with the rows that arrived', async () => {
  const importId = newId()
  const { user, server } = await openWizard(proSeller(), {
    importCsv: async (request) => {
      if ((request.query.dryRun ?? request.body.dryRun) === '1') return allFine(request)
      // Two are sent at once, so the third begins after another one arrived.
      if (request.body.chunkIndex === '2') return refuse(422, 'VALIDATION_FAILED', 'No more today')
      return { ok: true, warnings: [], total: 1_000, rejected: 0, received: 1, chunkCount: 3, importId }
    },
    undoImport: () => ({ ...liveImport(importId, 'stock.csv'), state: 'withdrawn', canUndo: false }),
  })
  await chooseFile(user, 'stock.csv', stock(2_001))
  // Finding a button by its role takes long, so that it is not looked for while rows are sent.
  const isSent = (calls: number) => waitFor(() => expect(server.asked('importCsv')).toHaveLength(calls))
  await isSent(3)
  await press(user, 'Run import')
  await isSent(6)
  await press(user, 'Delete uploaded rows')
  await waitFor(() => expect(server.asked('undoImport')[0]?.params.id).toBe(importId))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Delete uploaded rows' })).toBeNull())
})

describe('what a receipt asks', () => {
  const importId = newId()
  const [first, second] = ['Alternator', 'Door'].map((title) => ({
    id: newId(),
    partslug: `a-${title}`,
    title,
  }))
  if (!first || !second) throw new Error('There are two listings')
  const receipt: ImportReceipt = {
    importId,
    fileName: 'stock.csv',
    appliedAt: null,
    approvedBy: null,
    total: 5,
    created: 1,
    updated: 2,
    unchanged: 0,
    ended: 0,
    merged: 0,
    rejected: 2,
    waiting: 0,
    refused: 2,
    leftOut: [],
    held: {
      total: 2,
      rows: [
        { record: 1, row: 2, part: 'Radiator', listing: first, repeats: false },
        { record: 3, row: null, part: 'Hood', listing: second, repeats: true },
      ],
    },
    kept: {
      total: 1,
      rows: [
        {
          record: 4,
          listing: first,
          fields: [{ field: 'partprice', label: 'Price', edited: 60, file: 80 }],
          canUse: true,
        },
      ],
    },
    ordered: { total: 0, rows: [] },
    undone: 0,
    leftAsIs: 0,
    left: [],
    mode: 'add',
    state: 'applied',
    answers: [],
  }
  const none = { total: 0, rows: [] }
  const open = (server: Handlers) =>
    openApp(`/dashboard/seller/imports/${importId}`, {
      as: proSeller(),
      server: { readImport: () => liveImport(importId, 'stock.csv'), readReceipt: () => receipt, ...server },
    })

  test('a held row is answered as a correction or as another part', async () => {
    const left = { ...receipt, held: { total: 1, rows: receipt.held.rows.slice(1) } }
    const { user, server } = await open({
      answerHeldRows: ({ body }) => (body.records ? left : { ...receipt, held: none }),
    })
    const section = await screen.findByRole('region', { name: '2 rows need your answer' })
    const row = within(section).getByRole('listitem', { name: 'Radiator' })
    expect(row).toHaveTextContent('Row 2: Radiator')
    expect(within(row).getByRole('link', { name: 'Alternator' })).toBeVisible()
    await user.click(within(row).getByRole('button', { name: 'Same part, corrected' }))
    const rest = await screen.findByRole('region', { name: '1 row needs your answer' })
    await user.click(within(rest).getByRole('button', { name: 'Different part' }))
    await waitFor(() => expect(server.asked('answerHeldRows')).toHaveLength(2))
    expect(server.asked('answerHeldRows').map(({ body }) => body)).toEqual([
      { answer: 'same', records: [1] },
      { answer: 'new', records: [3] },
    ])
  })

  test('all held rows at once', async () => {
    const { user, server } = await open({ answerHeldRows: { ...receipt, held: none } })
    await user.click(await screen.findByRole('button', { name: 'All are different parts' }))
    await waitFor(() => expect(screen.queryByText(/your answer/)).toBeNull())
    expect(server.asked('answerHeldRows').map(({ body }) => body)).toEqual([{ answer: 'new' }])
  })

  test('rows that were left out are named, and how many are not shown', async () => {
    const leftOut = [{ row: 12, record: 7, reason: 'The year is missing.' }]
    await open({ readReceipt: { ...receipt, refused: 5, leftOut } })
    const section = await screen.findByRole('region', {
      name: '3 rows were left out when the file was compared with your listings',
    })
    expect(within(section).getByRole('listitem')).toHaveTextContent('Row 12: The year is missing.')
    expect(section).toHaveTextContent('2 more not shown.')
  })

  test('an undo names the listings it left as they are', async () => {
    const left = [{ ...second, reason: 'The price was changed.' }]
    const undone = { undone: 3, leftAsIs: 1, left, state: 'undone' as const }
    await open({
      readImport: () => ({ ...liveImport(importId, 'stock.csv'), state: 'undone' }),
      readReceipt: { ...receipt, ...undone },
    })
    expect(await screen.findByText('3 listings restored.')).toBeVisible()
    const section = screen.getByRole('region', { name: '1 listing was changed after the import and kept' })
    expect(within(section).getByRole('link', { name: 'Door' })).toBeVisible()
    expect(section).toHaveTextContent('The price was changed.')
  })

  test('a kept edit can be replaced by the file’s value', async () => {
    const { user, server } = await open({ useFileValues: { ...receipt, kept: none } })
    const section = await screen.findByRole('region', { name: '1 kept as edited' })
    expect(section).toHaveTextContent('Price: yours $60.00, the file’s $80.00')
    await user.click(within(section).getByRole('button', { name: 'Use the file’s' }))
    await waitFor(() => expect(screen.queryByText('1 kept as edited')).toBeNull())
    expect(server.asked('useFileValues').map(({ body }) => body)).toEqual([{ records: [4] }])
  })
})

test('leaving with chosen columns asks first', async () => {
  const { user } = await openWizard()
  await chooseFile(user, 'stock.csv', stock(3))
  await seeColumns(user)
  await pickColumn(user, 'partmodel', 'Make')
  await user.click(screen.getAllByRole('link', { name: 'My Listings' })[0] as HTMLElement)
  const question = await screen.findByRole('dialog', { name: 'Leave without importing?' })
  await user.click(within(question).getByRole('button', { name: 'Stay' }))
  await openTab('Template / Mapping')
  expect(document.getElementById('column-partmodel')).toHaveValue('Make')
})

test('on the free plan the page explains bulk import, links onward, and makes no import calls', async () => {
  const ways = {
    'Compare the plans': '/onboarding',
    'Create a single listing': '/dashboard/seller/create-auto-part-listing',
    'Back to Dashboard': '/dashboard/seller',
  }
  for (const [name, to] of Object.entries(ways)) {
    const { user } = await openApp(bulkImport, { as: makeUser() })
    expect(await screen.findByRole('heading', { name: 'Bulk Import is a Pro feature' })).toBeVisible()
    expect(document.querySelector('input[type=file]')).toBeNull()
    const main = within(screen.getByRole('main'))
    expect(main.getByRole('button', { name: 'Upgrade to Pro' })).toBeEnabled()
    await user.click(main.getByRole('link', { name }))
    await waitFor(() => expect(address()).toBe(to))
    await waitFor(() => expect(screen.queryByText('Bulk Import is a Pro feature')).toBeNull())
    await waitFor(() =>
      expect(screen.getByRole('heading', { level: 1 })).not.toHaveTextContent('Bulk Import'),
    )
    cleanup()
  }
})

test('an administrator can check a file, compressed or not, but cannot import it', async () => {
  const { user, server } = await openWizard(admin())
  await chooseFile(user, 'stock.csv.gz', new Uint8Array(gzipSync(stock(50))))
  await press(user, 'Check rows')
  expect(await screen.findByRole('heading', { name: 'All 50 rows are good.' })).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Run import' })).toBeNull()
  expect(server.asked('importCsv').every(({ query, body }) => (query.dryRun ?? body.dryRun) === '1')).toBe(
    true,
  )
  expect(address()).toMatch(/tab=/)
})

test('unclear names are asked about after a dry run, and answering checks the file again', async () => {
  const question = {
    id: 'category:door handle:Glass',
    column: 'Group',
    values: [],
    kind: 'category' as const,
    typed: 'Glass',
    about: 'door handle',
    manufacturerId: null,
    rows: 12,
    example: '2014 Ford F-150 Door handle LH',
    choices: [{ id: newId(), name: 'Outside Door Handle', certainty: 0.3 }],
    mayBeNew: false,
  }
  const whole = { create: 1, update: 0, unchanged: 0, merged: 0, refused: 0 }
  const newNames = [
    { kind: 'manufacturer' as const, name: 'Zorblatt', rows: 2, example: '2014 Zorblatt Hood' },
  ]
  const answered: object[] = []
  const { user } = await openWizard(
    proSeller(),
    {
      importCsv: () => {
        const held = answered.length > 0 ? 0 : 12
        const questions = answered.length > 0 ? [] : [question]
        const plan = { creates: 1, updates: 0, ends: 0, held, newNames }
        const preview = { total: 13, errors: 0, rows: [], whole, plan, questions }
        return { ok: true as const, warnings: [], preview }
      },
      answerNames: ({ body }) => {
        answered.push(body)
        return { ok: true as const, importIds: [] }
      },
    },
    { path: `${bulkImport}?tab=upload` },
  )
  await chooseFile(user, 'stock.csv', stock(13))
  const card = await screen.findByRole('region', { name: 'Questions about your file' })
  expect(within(card).getByRole('group', { name: '1 part name that we don’t know' })).toBeVisible()
  expect(within(card).getByText(/For 12 rows/)).toBeVisible()
  expect(screen.getByText(/Make “Zorblatt”: 2 rows/)).toBeVisible()
  const words = 'What kind of part is “door handle” (your word: “Glass”)?'
  await user.selectOptions(within(card).getByRole('combobox', { name: words }), 'Outside Door Handle')
  // What is picked outlasts the check that asked.
  await chooseFile(user, 'stock-again.csv', stock(13))
  const again = await screen.findByRole('region', { name: 'Questions about your file' })
  expect(within(again).getByRole('combobox', { name: words })).toHaveDisplayValue('Outside Door Handle')
  await user.click(within(again).getByRole('button', { name: 'Save 1 answer' }))
  await waitFor(() =>
    expect(answered).toEqual([
      {
        answers: [
          { kind: 'category', typed: 'Glass', about: 'door handle', lookupId: question.choices[0]?.id },
        ],
      },
    ]),
  )
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Questions about your file' })).toBeNull())
})

test('all unknown names of a kind are one question: suggestions in a click, or left out, and changed later', async () => {
  const make = (typed: string, choices: { id: string; name: string; certainty: number }[]) => ({
    id: `manufacturer::${typed}`,
    column: 'Make',
    values: [],
    kind: 'manufacturer' as const,
    typed,
    about: '',
    manufacturerId: null,
    rows: 4,
    example: `2014 ${typed} Hood`,
    choices,
    mayBeNew: choices.length === 0,
  })
  const id = newId()
  const asked = [
    make('Opel', []),
    make('Mitsibishi', [{ id, name: 'Mitsubishi', certainty: 0.7 }]),
    make('Misc', [{ id: newId(), name: 'Mini', certainty: 0.2 }]),
  ]
  const answered: object[] = []
  const { user } = await openWizard(
    proSeller(),
    {
      importCsv: () => {
        const [questions, leftOut] = answered.length > 0 ? [[], asked.slice(2)] : [asked, []]
        const plan = { creates: 1, updates: 0, ends: 0, held: 3 * questions.length, newNames: [] }
        const whole = { create: 1, update: 0, unchanged: 0, merged: 0, refused: 0 }
        const preview = { total: 13, errors: 0, rows: [], whole, plan, questions, leftOut }
        return { ok: true as const, warnings: [], preview }
      },
      answerNames: ({ body }) => {
        answered.push(body)
        return { ok: true as const, importIds: [] }
      },
    },
    { path: `${bulkImport}?tab=upload` },
  )
  await chooseFile(user, 'stock.csv', stock(13))
  const makes = await screen.findByRole('group', { name: '3 makes that we don’t know' })
  await user.click(screen.getByRole('button', { name: 'Choose all 2 suggestions' }))
  const chosen = (name: string) => within(makes).getByRole('combobox', { name: `Which make is “${name}”?` })
  expect(chosen('Opel')).toHaveDisplayValue('A new make: add “Opel”')
  expect(chosen('Mitsibishi')).toHaveDisplayValue('Mitsubishi')
  expect(chosen('Misc')).toHaveDisplayValue('Choose…')
  await user.selectOptions(chosen('Misc'), 'Leave these parts out')
  await user.click(screen.getByRole('button', { name: 'Save 3 answers' }))
  const manufacturer = { kind: 'manufacturer', about: '' }
  await waitFor(() =>
    expect(answered).toEqual([
      {
        answers: [
          { ...manufacturer, typed: 'Opel', lookupId: null },
          { ...manufacturer, typed: 'Mitsibishi', lookupId: id },
          { ...manufacturer, typed: 'Misc', lookupId: null, leaveOut: true },
        ],
      },
    ]),
  )
  await user.click(await screen.findByRole('button', { name: 'Change: “Misc” is left out' }))
  expect(screen.getByRole('group', { name: '1 make that we don’t know' })).toBeVisible()
})

test('before Run the page says what will happen and when', async () => {
  const plan = { creates: 810, updates: 3, ends: 1, held: 2, newNames: [] }
  const goesLive = { how: 'first-parts' as const, atOnce: 500, later: 310, waitMinutes: 60 }
  const { user } = await openWizard(proSeller(), {
    importCsv: async (request) => {
      const fine = await allFine(request)
      return { ...fine, preview: { ...fine.preview, plan, goesLive } }
    },
  })
  await chooseFile(user, 'stock.csv', stock(3))
  await screen.findByText('All 3 rows are good.')
  await user.click(screen.getByRole('tab', { name: 'Run Import' }))
  const told = await screen.findByRole('region', { name: 'What will happen and when' })
  expect(
    within(told)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent),
  ).toEqual([
    '810 new listings',
    '3 listings are updated',
    '1 listing with quantity 0 is taken down',
    '2 rows wait for your answer or a correction',
  ])
  expect(told).toHaveTextContent(
    '500 new listings go live at once and the other 310 about an hour later, unless buyers report your listings.',
  )
})

test('a Pro seller without payouts sets them up once and comes back to the import', async () => {
  const seller = { ...proSeller(), connectStatus: 'NOT_STARTED' as const }
  const refused = () => refuse(409, 'ONBOARDING_REQUIRED', 'Payouts are not set up yet.')
  const { user, server } = await openApp(bulkImport, {
    as: seller,
    server: {
      listMappings: refused,
      listImports: { items: [], total: 0, page: 1, perPage: 10 },
      resumeOnboarding: { mock: true },
    },
  })
  await waitFor(() => expect(address()).toBe(`/onboarding?${new URLSearchParams({ from: bulkImport })}`))
  expect(await screen.findByRole('heading', { level: 1, name: 'Set up payouts' })).toBeVisible()
  expect(screen.getByText('Complete Stripe onboarding')).toHaveAttribute('aria-current', 'step')
  expect(screen.getByRole('link', { name: 'Back to Bulk Import' })).toHaveAttribute('href', bulkImport)
  await press(user, 'Set up payouts')
  await waitFor(() => expect(server.asked('resumeOnboarding')).toHaveLength(1))
  cleanup()
  const begun = { ...seller, connectStatus: 'PENDING' as const }
  await openApp('/dashboard/seller?connect=returned', {
    as: begun,
    kept: true,
    server: {
      refreshAccount: { user: begun },
      listMappings: { mine: [], global: [] },
      listImports: { items: [], total: 0, page: 1, perPage: 10 },
      readBalance: { available: [], pending: [] },
      sellerFigures: refuse(503, 'BUSY', 'Busy'),
      listOwn: { items: [], total: 0, lastPage: 1, page: 1, perPage: 8, figures: {}, yardHasTerms: false },
    },
  })
  await waitFor(() => expect(address()).toBe(bulkImport))
})

test('the rest of a first import shows when it goes live, and a report puts it on hold', async () => {
  const rest = { changes: 310, liveAt: new Date(2026, 1, 1, 15, 40).toISOString(), heldAt: null }
  const record = {
    ...liveImport(newId(), 'stock.csv'),
    state: 'applying' as const,
    progress: { done: 500, total: 810 },
    rest,
  }
  const readImport = () => record
  await openApp(`/dashboard/seller/imports/${record.id}`, { as: proSeller(), server: { readImport } })
  const card = await screen.findByRole('region', { name: 'Your first parts are live' })
  expect(card).toHaveTextContent(
    '500 listings are live. As this is your first import, the other 310 go live at 3:40 PM',
  )
  expect(screen.getByText('Partly live')).toBeVisible()
  cleanup()
  const held = () => ({ ...record, rest: { ...rest, heldAt: rest.liveAt } })
  await openApp(`/dashboard/seller/imports/${record.id}`, { as: proSeller(), server: { readImport: held } })
  expect(await screen.findByRole('region', { name: 'The rest of your import is on hold' })).toBeVisible()
})

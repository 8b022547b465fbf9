import { gzipSync } from 'node:zlib'
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import type { User } from '#contract/accounts.ts'
import { shippedTemplates } from '#contract/column-mapping/shipped-templates.ts'
import type { ImportRecord, MappingTemplate } from '#contract/imports.ts'
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

const bulkImport = '/dashboard/seller/create-bulk-auto-part-listing'

/** Finds every row fine, and would list each. */
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

/** A straight file opens the last tab before it is sent; its columns are one click away. */
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
  expect(await screen.findByText('The cells of the file are separated by semicolons.')).toBeVisible()
  await press(user, 'Check rows')
  expect(await screen.findByText(/Every row needs: Category, Manufacturer, Model, Year/)).toBeVisible()
  await waitFor(() => expect(document.activeElement?.id).toBe('column-partcategory'))
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
  await press(user, 'Check rows')
  // Where it is written, and above as what keeps the rows from being checked.
  await waitFor(() => expect(screen.getAllByText('Defaults JSON is not valid')).toHaveLength(2))
  fireEvent.change(json, { target: { value: '{"partcity":"Tulsa"}' } })
  await waitFor(() => expect(screen.getByLabelText('City')).toHaveValue('Tulsa'))
  expect(server.asked('importCsv')).toEqual([])
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

test('a listing file of eBay is recognized, its template chosen, and its vehicles sent with their part', async () => {
  const global = shippedTemplates('PartHarbor')
  const { user, server } = await openWizard(proSeller(), { listMappings: { mine: [], global } })
  const lines = [
    '*Action(SiteID=eBayMotors|Country=US|Currency=USD|Version=1193),CustomLabel,*Title,Relationship,RelationshipDetails,*StartPrice,*ConditionID,C:Type,C:Manufacturer Part Number',
    'Add,EB-1,2014 Toyota Camry Alternator,,,85.00,3000,Alternator,27060-1',
    ',,,Compatibility,Year=2014|Make=Toyota|Model=Camry,,,,',
    ',,,Compatibility,Year=2015|Make=Toyota|Model=Corolla,,,,',
  ]
  await chooseFile(user, 'ebay.csv', lines.join('\r\n'))
  expect(await screen.findByText(/This is an eBay listing file. We chose the template/)).toBeVisible()
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

test('a file dropped anywhere on the page is checked after one click', async () => {
  const { user } = await openWizard()
  for (const name of ['Results', 'Defaults']) {
    await user.click(screen.getByRole('tab', { name }))
    await openTab(name)
  }
  const dataTransfer = { files: [new File([stock(20)], 'stock.csv')], types: ['Files'], items: [] }
  for (const drag of [fireEvent.dragEnter, fireEvent.dragOver, fireEvent.drop]) {
    drag(screen.getByRole('heading', { level: 1 }), { dataTransfer })
  }
  await openTab('Run Import')
  await press(user, 'Check rows')
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
  await press(user, 'Check rows')
  await press(user, 'Run import')
  await openTab('Results')
  await user.click(screen.getByRole('tab', { name: 'Guide' }))
  expect(await screen.findByText('Your file is ready')).toBeVisible()
  await chooseFile(user, 'next.csv', stock(4))
  await openTab('Run Import')
  await press(user, 'Check rows')
  expect(await screen.findByRole('heading', { name: 'All 4 rows are good.' })).toBeVisible()
})

test('D29 leaving with chosen columns asks first', async () => {
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

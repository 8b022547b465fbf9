import { gunzipSync } from 'node:zlib'
import { screen, waitFor, within } from '@testing-library/dom'
import type { UserEvent } from '@testing-library/user-event'
import { expect, onTestFinished, test } from 'vitest'
import type { RowIssue } from '#contract/imports.ts'
import { openApp } from './support/app.tsx'
import { type FakeRequest, type Handlers, newId, proSeller, refuse } from './support/fake-server.ts'

const bulkImport = '/dashboard/seller/create-bulk-auto-part-listing'

const header = 'Stock #,Year,Make,Model,Part name,Category,Part #,Retail price,Grade,Mileage'
const goodRow = (n: number) => `W-${n},2012,Toyota,Camry,Alternator,Alternator,27060-${n},40.50,B,120000`

/** Every 20 rows, three are bad: 15%, of five kinds. */
function messyRow(n: number): string {
  const cells = goodRow(n).split(',')
  const bad = [
    [1, '05'],
    [8, 'Exc'],
    [9, '150000 km'],
    [7, 'call'],
    [6, '8.79E+11'],
  ] as const
  if (n % 20 < 3) {
    const [at, text] = bad[(Math.floor(n / 20) * 3 + (n % 20)) % bad.length] ?? bad[0]
    cells[at] = text
  }
  return cells.join(',')
}

const messy = (rows: number) => [header, ...Array.from({ length: rows }, (_, n) => messyRow(n))].join('\r\n')

const rules: [column: string, code: string, isGood: RegExp][] = [
  ['Year', 'INVALID_YEAR', /^\d{4}$/],
  ['Grade', 'INVALID_GRADE', /^[A-D]?$/],
  ['Mileage', 'INVALID_NUMBER', /^\d*$/],
  ['Retail price', 'INVALID_PRICE', /^\d+(\.\d+)?$/],
  ['Part #', 'DAMAGED_NUMBER', /^(?!.*E\+)/],
]

/** Large chunks arrive compressed. */
async function unpacked(file: Blob): Promise<string> {
  const bytes = Buffer.from(await file.arrayBuffer())
  return bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes).toString() : bytes.toString()
}

/** Checks and imports as the server would, after `begin`; remembers the text of each file it got. */
function server(received: string[], begin: () => Promise<void>): Handlers {
  return {
    listMappings: { mine: [], global: [] },
    listImports: { items: [], total: 0, page: 1, perPage: 10 },
    readImport: refuse(404, 'NOT_FOUND', 'No such import'),
    importCsv: async ({ body, query }: FakeRequest) => {
      await begin()
      const text = await unpacked(body.file as Blob)
      received.push(text)
      const [head = '', ...lines] = text.trim().split(/\r?\n/)
      const columns = head.split(',')
      // A row that was left out is a blank line.
      const rows = lines.flatMap((line, at) => {
        if (line === '') return []
        const cells = line.split(',')
        const issues = rules.flatMap(([column, code, isGood]): RowIssue[] => {
          const value = cells[columns.indexOf(column)] ?? ''
          return isGood.test(value)
            ? []
            : [{ row: at + 2, column, code, value, message: `${column} is wrong` }]
        })
        return {
          index: at + 1,
          ok: issues.length === 0,
          errors: issues.map(({ message }) => message),
          issues,
        }
      })
      const failing = rows.filter(({ ok }) => !ok)
      if ((query.dryRun ?? body.dryRun) === '1') {
        return {
          ok: true,
          warnings: [],
          preview: { total: rows.length, errors: failing.length, rows: failing },
        }
      }
      return {
        ok: true,
        warnings: [],
        total: rows.length,
        rejected: failing.length,
        files: { json: 'a.json', csv: 'a.csv' },
        stagingRef: 'ecomm:a.json',
        missionControlUrl: '',
        importId: newId(),
      }
    },
  } as Handlers
}

async function openWizard(received: string[], begin = async () => {}) {
  const app = await openApp(bulkImport, { as: proSeller(), server: server(received, begin) })
  await screen.findByRole('tab', { selected: true })
  return app
}

async function chooseFile(user: UserEvent, content: string): Promise<void> {
  const input = document.querySelector('input[type=file]') as HTMLInputElement
  await user.upload(input, new File([content], 'stock.csv', { lastModified: 1_700_000_000_000 }))
}

/** A person's clicks, counted. */
function counting(user: UserEvent) {
  let clicks = 0
  return {
    clicks: () => clicks,
    click: async (element: HTMLElement) => {
      clicks++
      await user.click(element)
    },
  }
}

const button = (name: string | RegExp) => screen.findByRole('button', { name })

test('a file with 15% bad rows of five kinds needs at most 10 clicks, and every fix can be undone', async () => {
  const received: string[] = []
  const { user } = await openWizard(received)
  const { click, clicks } = counting(user)
  await chooseFile(user, messy(200))
  await click(screen.getByRole('tab', { name: 'Validate (Dry-run)' }))
  await click(await button('Validate (dry run)'))
  expect(
    await screen.findByRole('heading', { name: '170 of 200 rows are good. 30 need fixing.' }),
  ).toBeVisible()

  await click(await button(/^Read “05” as 2005: fixes 6 rows$/))
  await click(await button(/^Read “Exc” as grade A: fixes 6 rows$/))
  await click(await button('Convert 6 mileages from kilometers'))
  await click(await button('Leave “Part number” empty in 6 rows'))
  const price = await screen.findByRole('textbox', { name: 'Set Price in 6 rows to' })
  await click(price)
  await user.keyboard('49.99{Enter}')
  expect(await screen.findByText(/Price set to “49.99”/)).toBeVisible()
  const before = received.length
  await click(await screen.findByRole('button', { name: 'Check the whole file again' }))
  expect(await screen.findByRole('heading', { name: 'All 200 rows are good.' })).toBeVisible()
  await click(await button('Run import'))
  await waitFor(() => expect(screen.getByRole('tab', { selected: true })).toHaveAccessibleName('Results'))
  expect(clicks()).toBeLessThanOrEqual(10)
  const sent = received.slice(before).at(-1) ?? ''
  expect(sent).toContain('W-0,2005,')
  expect(sent).toContain(',A,120000')
  expect(sent).toContain(',93206')
  expect(sent).toContain(',49.99,')
  expect(sent).not.toContain('E+11')
})

test('a fix is undone for all its rows; rows left out come back', async () => {
  const received: string[] = []
  const { user } = await openWizard(received)
  await chooseFile(user, messy(40))
  await user.click(screen.getByRole('tab', { name: 'Validate (Dry-run)' }))
  await user.click(await button('Validate (dry run)'))
  const fixes = within(await screen.findByRole('group', { name: 'Fixes for Retail price' }))
  await user.click(fixes.getByRole('button', { name: 'Leave this row out' }))
  await user.click(await button(/^Read “05” as 2005/))
  await waitFor(() => expect(screen.queryByRole('group', { name: 'Fixes for Year' })).toBeNull())
  await user.click(await button(/^Undo: Read “05” as 2005/))
  expect(await screen.findByRole('group', { name: 'Fixes for Year' })).toBeVisible()
  await user.click(await button('Check the whole file again'))
  expect(await screen.findByRole('heading', { name: '34 of 39 rows are good. 5 need fixing.' })).toBeVisible()
  expect(received.at(-1)).toContain('W-0,05,')
})

test('fixes stay, and can be undone, after switching tabs and after checking the file again', async () => {
  const received: string[] = []
  const { user } = await openWizard(received)
  await chooseFile(user, messy(40))
  const validate = () => user.click(screen.getByRole('tab', { name: 'Validate (Dry-run)' }))
  await validate()
  await user.click(await button('Validate (dry run)'))
  await user.click(await button(/^Read “05” as 2005/))
  await user.click(await button(/^Read “Exc” as grade A/))
  await user.click(screen.getByRole('tab', { name: 'Defaults' }))
  await validate()
  await user.click(await button(/^Undo: Read “05” as 2005/))
  expect(await screen.findByRole('group', { name: 'Fixes for Year' })).toBeVisible()
  await user.click(await button('Check the whole file again'))
  // When the check ends, it replaces the rows, and with them anything clicked in the meantime.
  expect(await screen.findByRole('heading', { name: '35 of 40 rows are good. 5 need fixing.' })).toBeVisible()
  expect(received.at(-1)).toContain('W-0,05,')
  expect(received.at(-1)).toContain(',A,120000')
  const inUse = within(await screen.findByRole('region', { name: 'Fixes in use' }))
  await user.click(inUse.getByRole('button', { name: /^Undo: Read “Exc” as grade A/ }))
  await user.click(await button('Check the whole file again'))
  await waitFor(() => expect(received).toHaveLength(3))
  expect(received.at(-1)).toContain(',Exc,120000')
})

test('a column of titles is offered to be split, with a preview and its certainty', async () => {
  const received: string[] = []
  const { user } = await openWizard(received)
  const lines = [
    'SKU,Title,Price',
    '1,2004-2008 Toyota Camry Front Door LH OEM,150',
    '2,07 COROLLA Alternator,80',
  ]
  await chooseFile(user, lines.join('\r\n'))
  const preview = await screen.findByRole('region', { name: 'Preview of Title' })
  expect(preview).toHaveTextContent('Front Door LH OEM')
  expect(screen.queryByText(/% clear/)).toBeNull()
  await user.click(await button(/^Yes: /))
  expect(await screen.findByText('“Title” is separated')).toBeVisible()
  await user.click(await button('Check rows'))
  await waitFor(() => expect(received).toHaveLength(1))
})

test('a clean file is imported with three clicks, and the other tabs have a check mark', async () => {
  const received: string[] = []
  const { user } = await openWizard(received)
  const { click, clicks } = counting(user)
  await click(screen.getByRole('tab', { name: 'Upload' }))
  await chooseFile(user, [header, goodRow(1), goodRow(2), goodRow(3)].join('\r\n'))
  // The check begins by itself.
  await waitFor(() => expect(screen.getByRole('button', { name: 'Run import' })).toBeEnabled())
  for (const name of ['Guide', 'Template / Mapping', 'Defaults', 'Upload', 'Validate (Dry-run)']) {
    expect(screen.getByRole('tab', { name })).toHaveAccessibleDescription('Nothing left to do here')
  }
  expect(screen.queryByText(/chunk/)).toBeNull()
  await click(await button('Run import'))
  await waitFor(() => expect(screen.getByRole('tab', { selected: true })).toHaveAccessibleName('Results'))
  // Choosing the file is the third.
  expect(clicks() + 1).toBeLessThanOrEqual(3)
  expect(received).toHaveLength(2)
})

/** The browser's locks, which happy-dom lacks: one owner at a time. */
function lockManager() {
  let held = false
  const waiting: (() => void)[] = []
  return {
    query: async () => ({ held: [] }),
    async request(_: string, options: { ifAvailable?: boolean }, work: (lock: object | null) => unknown) {
      if (held && options.ifAvailable) return work(null)
      while (held) await new Promise<void>((go) => waiting.push(go))
      held = true
      try {
        return await work({})
      } finally {
        held = false
        for (const go of waiting.splice(0)) go()
      }
    },
  }
}

test('a check that a person starts takes the place of the one that began by itself, and the import follows it', async () => {
  Object.defineProperty(navigator, 'locks', { value: lockManager(), configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'locks'))
  const received: string[] = []
  let first = true
  const { user } = await openWizard(received, async () => {
    if (!first) return
    first = false
    // Never answered.
    await new Promise(() => undefined)
  })
  await user.click(screen.getByRole('tab', { name: 'Upload' }))
  await chooseFile(user, [header, goodRow(1), goodRow(2)].join('\r\n'))
  await waitFor(() => expect(first).toBe(false))
  await user.click(screen.getByRole('tab', { name: 'Template / Mapping' }))
  await user.click(await button('Check rows'))
  expect(await screen.findByRole('heading', { name: /rows are good/ })).toBeVisible()
  await user.click(await button('Run import'))
  await waitFor(() => expect(screen.getByRole('tab', { selected: true })).toHaveAccessibleName('Results'))
  expect(received).toHaveLength(2)
})

test('a file with an unclear column stops at its columns, which have no check mark', async () => {
  const { user } = await openWizard([])
  await chooseFile(user, ['SKU,Title,Price', '1,2007 Toyota Camry Door LH,150'].join('\r\n'))
  await waitFor(() =>
    expect(screen.getByRole('tab', { selected: true })).toHaveAccessibleName('Template / Mapping'),
  )
  expect(screen.getByRole('tab', { name: 'Template / Mapping' })).not.toHaveAccessibleDescription()
})

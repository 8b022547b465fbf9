import { expect, test } from 'vitest'
import type { BulkResult } from '#contract/admin/listings.ts'
import { standardDialect } from '#contract/yard-file/reading.ts'
import { RecordReader } from '#contract/yard-file/records.ts'
import { Sheet } from '#web/components/data-grid/sheet.ts'
import { conflictsOf, isChanged, textOf } from '#web/components/data-grid/sheet-row.ts'
import { checkValues, normaliseValue } from './bulk-values.ts'
import { failedRowsCsv, type SaveItem, type SaveReply, saveRows } from './save-rows.ts'

type Stored = { id: string; version: number; partprice: number; dealername: string; savedBy?: string }

/** A server with the rules of bulk-update: stale rows fail alone, with what they are now, unless they are already so. */
function server(rows: Stored[]) {
  const stored = new Map(rows.map((row) => [row.id, row]))
  const calls: number[] = []
  const save = (item: SaveItem): BulkResult => {
    const row = stored.get(item.id)
    const about = { id: item.id, partnum: null }
    if (!row) return { ...about, ok: false, errors: ['There is no such listing'], code: 'NOT_FOUND' }
    const current = () => listing(stored.get(item.id) ?? row) as BulkResult['current']
    const { id: _id, version: _version, ...changes } = item
    const partprice = Number(changes.partprice ?? row.partprice)
    const dealername = String(changes.dealername ?? row.dealername)
    if (item.version !== row.version) {
      const isSame = partprice === row.partprice && dealername === row.dealername
      if (isSame) return { ...about, ok: true, errors: [], current: current() }
      return { ...about, ok: false, errors: ['Dana changed it'], code: 'STALE', current: current() }
    }
    stored.set(item.id, {
      ...row,
      partprice,
      dealername,
      version: row.version + 1,
      savedBy: `set ${calls.length}`,
    })
    return { ...about, ok: true, errors: [], current: current() }
  }
  const send = async (items: SaveItem[]): Promise<SaveReply> => {
    calls.push(items.length)
    const changed = items.filter(({ id, version }) => stored.get(id)?.version === version)
    const earlier = items.flatMap(({ id, version }) =>
      stored.get(id)?.version === version ? [] : (stored.get(id)?.savedBy ?? []),
    )
    const results = items.map(save)
    const updated = results.filter(({ ok }) => ok).length
    return {
      ok: updated > 0,
      updated,
      changeSetId: changed.length > 0 ? `set ${calls.length}` : null,
      ...(earlier.length > 0 && { earlierChangeSetIds: [...new Set(earlier)] }),
      results,
    }
  }
  return { stored, calls, send }
}

const listing = (row: Stored) => ({
  kind: 'ecommerce',
  partname: 'Alternator',
  partyear: '2014',
  shippingKind: 'free',
  status: 'ACTIVE',
  ...row,
})
const stock = (count: number): Stored[] =>
  Array.from({ length: count }, (_, place) => ({
    id: `row ${place}`,
    version: 1,
    partprice: 10,
    dealername: 'Yard',
  }))

function sheetOf(rows: Stored[]): Sheet {
  const sheet = new Sheet({ check: checkValues, normalise: normaliseValue })
  const values = (row: Stored) => ({
    kind: 'ecommerce',
    partprice: row.partprice.toFixed(2),
    dealername: row.dealername,
    // Other values of a listing, so that nothing looks changed for lack of a value here.
    partname: 'Alternator',
    partyear: '2014',
    partshipping: 'Free',
    status: 'ACTIVE',
  })
  sheet.load(
    rows.map((row) => ({ id: row.id, version: row.version, values: values(row) })),
    'replace',
  )
  return sheet
}
const price = (sheet: Sheet, id: string, text: string) =>
  sheet.edit('Typing', [{ id, field: 'partprice', text }])

test('2,500 rows go in calls of at most 1,000 and are saved', async () => {
  const rows = stock(2_500)
  const { calls, send, stored } = server(rows)
  const sheet = sheetOf(rows)
  sheet.edit(
    'Paste',
    rows.map(({ id }) => ({ id, field: 'partprice', text: '11' })),
  )
  const report = await saveRows(sheet, send)
  expect(calls).toEqual([1_000, 1_000, 500])
  expect(report).toMatchObject({ ok: true, updated: 2_500, failed: [] })
  expect(report.changeSetIds).toEqual(['set 1', 'set 2', 'set 3'])
  expect(sheet.view().changed).toBe(0)
  expect(stored.get('row 2499')?.partprice).toBe(11)
})

test('long texts make calls of fewer rows', async () => {
  const rows = stock(400)
  const { calls, send } = server(rows)
  const sheet = sheetOf(rows)
  const text = 'x'.repeat(10_000)
  sheet.edit(
    'Paste',
    rows.map(({ id }) => ({ id, field: 'partdescription', text })),
  )
  await saveRows(sheet, send)
  expect(calls.length).toBeGreaterThan(1)
  expect(calls.reduce((sum, count) => sum + count)).toBe(400)
})

test('a row that breaks a rule is not sent and is reported; the others are saved', async () => {
  const rows = stock(3)
  const { calls, send } = server(rows)
  const sheet = sheetOf(rows)
  price(sheet, 'row 0', '11')
  price(sheet, 'row 1', 'call')
  const report = await saveRows(sheet, send)
  expect(calls).toEqual([1])
  expect(report).toMatchObject({ ok: true, updated: 1 })
  expect(report.failed).toEqual([
    {
      id: 'row 1',
      errors: ['Price: Enter a price like 129.95 (up to 2 decimals)'],
      typed: { partprice: 'call' },
    },
  ])
  expect(sheet.changedRows().map(({ id }) => id)).toEqual(['row 1'])
})

test('a row that the server does not know stays with its error', async () => {
  const rows = stock(2)
  const { send } = server(rows.slice(0, 1))
  const sheet = sheetOf(rows)
  price(sheet, 'row 1', '11')
  const report = await saveRows(sheet, send)
  expect(report).toMatchObject({ ok: false, updated: 0 })
  expect(report.failed).toEqual([
    { id: 'row 1', errors: ['There is no such listing'], typed: { partprice: '11.00' } },
  ])
})

test('a change of another cell is merged and sent once more', async () => {
  const rows = stock(1)
  const { send, stored, calls } = server(rows)
  const sheet = sheetOf(rows)
  price(sheet, 'row 0', '11')
  stored.set('row 0', { id: 'row 0', version: 2, partprice: 10, dealername: 'Salvage' })
  const report = await saveRows(sheet, send)
  expect(calls).toEqual([1, 1])
  expect(report).toMatchObject({ ok: true, updated: 1, failed: [] })
  expect(stored.get('row 0')).toMatchObject({ partprice: 11, dealername: 'Salvage', version: 3 })
  const row = sheet.row('row 0')
  expect(row && [isChanged(row), textOf(row, 'dealername')]).toEqual([false, 'Salvage'])
})

test('a change of the same cell stays unresolved until the user chooses', async () => {
  const rows = stock(1)
  const { send, stored } = server(rows)
  const sheet = sheetOf(rows)
  price(sheet, 'row 0', '11')
  stored.set('row 0', { id: 'row 0', version: 2, partprice: 15, dealername: 'Yard' })
  const report = await saveRows(sheet, send)
  expect(report.ok).toBe(false)
  expect(report.failed[0]?.errors).toContain('Price: someone else changed it too')
  const row = sheet.row('row 0')
  expect(row && conflictsOf(row)).toEqual(['partprice'])
  await saveRows(sheet, send)
  expect(stored.get('row 0')?.partprice).toBe(15)
  sheet.resolve('row 0', { partprice: 'mine' })
  expect(await saveRows(sheet, send)).toMatchObject({ ok: true, updated: 1, failed: [] })
  expect(stored.get('row 0')?.partprice).toBe(11)
})

test('after a lost response, the next save finds its own values and offers their undo', async () => {
  const rows = stock(2)
  const { send, stored } = server(rows)
  const sheet = sheetOf(rows)
  price(sheet, 'row 0', '11')
  price(sheet, 'row 1', '11')
  const lost = await saveRows(sheet, async (items) => {
    await send(items)
    throw new Error('No answer')
  })
  expect(lost.broke).toEqual(new Error('No answer'))
  expect(sheet.view().changed).toBe(2)
  // Edited again before the second save.
  sheet.edit('Typing', [{ id: 'row 1', field: 'dealername', text: 'Salvage' }])
  const report = await saveRows(sheet, send)
  expect(report).toMatchObject({ ok: true, updated: 2, changeSetIds: ['set 1', 'set 3'], failed: [] })
  expect(sheet.view()).toMatchObject({ changed: 0, wrong: 0 })
  expect(stored.get('row 0')).toMatchObject({ partprice: 11, version: 2 })
  expect(stored.get('row 1')).toMatchObject({ partprice: 11, dealername: 'Salvage', version: 3 })
})

test('rows saved before a failed call stay saved', async () => {
  const rows = stock(1_500)
  const { send } = server(rows)
  const sheet = sheetOf(rows)
  sheet.edit(
    'Paste',
    rows.map(({ id }) => ({ id, field: 'partprice', text: '11' })),
  )
  let count = 0
  const report = await saveRows(sheet, async (items) => {
    count += 1
    if (count === 2) throw new Error('No answer')
    return send(items)
  })
  expect(report).toMatchObject({ updated: 1_000, changeSetIds: ['set 1'] })
  expect(sheet.view().changed).toBe(500)
})

test('undo after a save makes a new change', async () => {
  const rows = stock(1)
  const { send } = server(rows)
  const sheet = sheetOf(rows)
  price(sheet, 'row 0', '11')
  await saveRows(sheet, send)
  sheet.undo()
  const row = sheet.row('row 0')
  expect(row?.pending).toEqual({ partprice: { base: '11.00', mine: '10.00' } })
  expect(row && conflictsOf(row)).toEqual([])
})

test('failed_rows.csv has its header, is safe against formulas and reads back', () => {
  const csv = failedRowsCsv([
    {
      id: '0199',
      errors: ['Price: Digits only, "129.95"', 'Grade must be A, B, C or D'],
      typed: { partprice: 'abc', partgrade: 'X' },
    },
    { id: '=1+1', errors: ['@ambiguous part number'], typed: { partname: '=HYPERLINK("x")' } },
  ])
  expect(csv.startsWith('key,value,errors\r\n')).toBe(true)
  expect(
    new RecordReader(standardDialect)
      .feed(csv)
      .end()
      .take()
      .map(({ cells }) => cells),
  ).toEqual([
    ['key', 'value', 'errors'],
    ['id', '0199', 'Price: Digits only, "129.95"; Grade must be A, B, C or D'],
    ['partprice', 'abc', ''],
    ['partgrade', 'X', ''],
    ['id', "'=1+1", "'@ambiguous part number"],
    ['partname', '\'=HYPERLINK("x")', ''],
  ])
})

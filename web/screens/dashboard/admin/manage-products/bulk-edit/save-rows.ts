import { BULK_ITEMS_MOST, type BulkResult } from '#contract/admin-listings.ts'
import { csvLine } from '#contract/csv/csv-cell.ts'
import type { Listing } from '#contract/listings.ts'
import type { Outcome, Sheet } from '#web/components/data-grid/sheet.ts'
import {
  changesOf,
  conflictsOf,
  isChanged,
  type SheetRow,
  type Values,
} from '#web/components/data-grid/sheet-row.ts'
import { sentencesOf, toServerRow } from './bulk-values.ts'

export type SaveItem = { id: string; version: number; [field: string]: string | number }
export type SaveReply = {
  ok: boolean
  updated?: number
  changeSetId: string | null
  results: BulkResult[]
  error?: string | undefined
}

export type SaveReport = {
  /** How many the server says it changed. */
  updated: number
  /** Whether any call was answered with a yes. */
  ok: boolean
  /** Its sentence where it was a no. */
  error?: string | undefined
  /** Under which the save can be undone: one a call. */
  changeSetIds: string[]
  failed: FailedRow[]
  /** Why it ended before the end. What was saved until then is saved. */
  broke?: unknown
}

// Below the most that the server takes in one call, also where every character is three bytes.
const MOST_CHARACTERS = 2_000_000

type Sent = { id: string; changes: Values; item: SaveItem }

/**
 * Saves the unsaved rows of a sheet in calls of at most a thousand and tells the sheet how each came out. A row that
 * somebody changed meanwhile is merged and sent once more; where both changed a cell, it stays for a person to choose.
 * Rows that break a rule, or wait for that choice, are not sent.
 */
export async function saveRows(
  sheet: Sheet,
  send: (items: SaveItem[]) => Promise<SaveReply>,
): Promise<SaveReport> {
  const report: SaveReport = { updated: 0, ok: false, changeSetIds: [], failed: [] }
  const rows = sheet.changedRows()
  try {
    const stale = await sendAll(sheet, rows.filter(isReady), send, report)
    const merged = stale.flatMap((id) => sheet.row(id) ?? []).filter((row) => isChanged(row) && isReady(row))
    await sendAll(sheet, merged, send, report)
  } catch (error) {
    report.broke = error
  }
  report.failed = rows.flatMap(({ id }) => failureOf(sheet.row(id)))
  // Rows that stand on the server as they are here need no saving: an answer may have been lost on the way.
  if (report.broke === undefined && rows.every(({ id }) => isSettled(sheet.row(id)))) report.ok = true
  return report
}

const isReady = (row: SheetRow) => Object.keys(row.broken).length === 0 && conflictsOf(row).length === 0

const isSettled = (row: SheetRow | undefined) => row === undefined || !isChanged(row)

function failureOf(row: SheetRow | undefined): FailedRow[] {
  const errors = row && isChanged(row) ? sentencesOf(row) : []
  return row && errors.length > 0 ? [{ key: 'id', value: row.id, errors }] : []
}

/** Answers the rows that were stale. */
async function sendAll(
  sheet: Sheet,
  rows: readonly SheetRow[],
  send: (items: SaveItem[]) => Promise<SaveReply>,
  report: SaveReport,
): Promise<string[]> {
  const stale: string[] = []
  for (const batch of batchesOf(rows)) {
    const reply = await send(batch.map(({ item }) => item))
    report.updated += reply.updated ?? batch.length
    report.ok ||= reply.ok
    if (!reply.ok) report.error ??= reply.error
    if (reply.changeSetId !== null) report.changeSetIds.push(reply.changeSetId)
    sheet.settle(batch.flatMap((sent, place) => outcomesOf(sent, reply.results[place], sheet)))
    stale.push(...batch.flatMap(({ id }, place) => (reply.results[place]?.code === 'STALE' ? id : [])))
  }
  return stale
}

function batchesOf(rows: readonly SheetRow[]): Sent[][] {
  const batches: Sent[][] = []
  let batch: Sent[] = []
  let characters = 0
  for (const row of rows) {
    const changes = changesOf(row)
    const sent = { id: row.id, changes, item: { ...changes, id: row.id, version: row.version } }
    const length = JSON.stringify(sent.item).length
    if (batch.length === BULK_ITEMS_MOST || (batch.length > 0 && characters + length > MOST_CHARACTERS)) {
      batches.push(batch)
      batch = []
      characters = 0
    }
    batch.push(sent)
    characters += length
  }
  return batch.length > 0 ? [...batches, batch] : batches
}

const silence = 'The server did not say whether this row was saved. Save again.'

function outcomesOf({ id, changes }: Sent, result: BulkResult | undefined, sheet: Sheet): Outcome[] {
  if (!result) return [{ id, kind: 'refused', errors: [silence], fields: {} }]
  const current = result.current && toServerRow(result.current as Listing)
  if (result.ok) {
    const row = sheet.row(id)
    const now = current ?? { id, version: row?.version ?? 0, values: { ...row?.values, ...changes } }
    return [{ id, kind: 'saved', sent: changes, current: now }]
  }
  const refused: Outcome = { id, kind: 'refused', errors: result.errors, fields: result.fields ?? {} }
  // The row's own words ("Changed by …") stay until it is written or saved again.
  return current ? [{ id, kind: 'stale', current }, refused] : [refused]
}

/** A row that was not saved, by what it is known under. */
type FailedRow = { key: 'id' | 'partnum'; value: string; errors: readonly string[] }

/** The file of what was not saved (spec 2, section 2); a spreadsheet runs nothing of it. */
export function failedRowsCsv(rows: readonly FailedRow[]): string {
  const lines = rows.map(({ key, value, errors }) => csvLine([key, value, errors.join('; ')]))
  return [csvLine(['key', 'value', 'errors']), ...lines].join('')
}

import { type adminListingEndpoints, type BulkResult, MAX_BULK_ITEMS } from '#contract/admin/listings.ts'
import { csvLine } from '#contract/csv/csv-cell.ts'
import type { Answer } from '#contract/endpoint.ts'
import type { Listing } from '#contract/listings.ts'
import type { RowOutcome, Sheet } from '#web/components/data-grid/sheet.ts'
import {
  changesOf,
  conflictsOf,
  isChanged,
  type SheetRow,
  type Values,
} from '#web/components/data-grid/sheet-row.ts'
import { sentencesOf, toServerRow } from './bulk-values.ts'

export type SaveItem = { id: string; version: number; [field: string]: string | number }
export type SaveReply = Answer<typeof adminListingEndpoints.bulkUpdate>

export type SaveReport = {
  updated: number
  ok: boolean
  error?: string | undefined
  /** For undoing the save, one per call. */
  changeSetIds: string[]
  failed: FailedRow[]
  /** Why it stopped early. Earlier calls stay saved. */
  broke?: unknown
}

// Below the server's limit per call, even if every character takes three bytes.
const MOST_CHARACTERS = 2_000_000

type PendingItem = { id: string; changes: Values; item: SaveItem }

/**
 * Saves a sheet's unsaved rows in calls of at most a thousand and passes the outcomes to the sheet. A row that another
 * user changed is merged and sent once more; a cell that both changed is left for the user to resolve. Rows with
 * problems or conflicts are not sent.
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
  // Rows that match the server need no saving: an earlier response may have been lost.
  if (report.broke === undefined && rows.every(({ id }) => isSettled(sheet.row(id)))) report.ok = true
  return report
}

const isReady = (row: SheetRow) => Object.keys(row.broken).length === 0 && conflictsOf(row).length === 0

const isSettled = (row: SheetRow | undefined) => row === undefined || !isChanged(row)

function failureOf(row: SheetRow | undefined): FailedRow[] {
  const errors = row && isChanged(row) ? sentencesOf(row) : []
  return row && errors.length > 0 ? [{ id: row.id, errors, typed: changesOf(row) }] : []
}

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
    // A lost answer's save comes first: undoing runs from the end.
    const sets = [
      ...(reply.earlierChangeSetIds ?? []),
      ...report.changeSetIds,
      reply.changeSetId ?? [],
    ].flat()
    report.changeSetIds = [...new Set(sets)]
    sheet.settle(batch.flatMap((sent, place) => outcomesOf(sent, reply.results[place], sheet)))
    stale.push(...batch.flatMap(({ id }, place) => (reply.results[place]?.code === 'STALE' ? id : [])))
  }
  return stale
}

function batchesOf(rows: readonly SheetRow[]): PendingItem[][] {
  const batches: PendingItem[][] = []
  let batch: PendingItem[] = []
  let characters = 0
  for (const row of rows) {
    const changes = changesOf(row)
    const sent = { id: row.id, changes, item: { ...changes, id: row.id, version: row.version } }
    const length = JSON.stringify(sent.item).length
    if (batch.length === MAX_BULK_ITEMS || (batch.length > 0 && characters + length > MOST_CHARACTERS)) {
      batches.push(batch)
      batch = []
      characters = 0
    }
    batch.push(sent)
    characters += length
  }
  return batch.length > 0 ? [...batches, batch] : batches
}

const noResult = 'The server did not report whether this row was saved. Save again.'

function outcomesOf(
  { id, changes }: PendingItem,
  result: BulkResult | undefined,
  sheet: Sheet,
): RowOutcome[] {
  if (!result) return [{ id, kind: 'refused', errors: [noResult], fields: {} }]
  const current = result.current && toServerRow(result.current as Listing)
  if (result.ok) {
    const row = sheet.row(id)
    const now = current ?? { id, version: row?.version ?? 0, values: { ...row?.values, ...changes } }
    return [{ id, kind: 'saved', sent: changes, current: now }]
  }
  const refused: RowOutcome = { id, kind: 'refused', errors: result.errors, fields: result.fields ?? {} }
  // The row's own error ("Dana changed it on …") stays until it is edited or saved again.
  return current ? [{ id, kind: 'stale', current }, refused] : [refused]
}

type FailedRow = {
  id: string
  errors: readonly string[]
  /** The changed fields. */
  typed: Values
}

/**
 * The rows that were not saved, as CSV with formulas escaped: a line with the row's id and errors, then
 * one for each field with what was typed.
 */
export function failedRowsCsv(rows: readonly FailedRow[]): string {
  const lines = rows.flatMap(({ id, errors, typed }) => [
    csvLine(['id', id, errors.join('; ')]),
    ...Object.entries(typed).map(([field, value]) => csvLine([field, value, ''])),
  ])
  return [csvLine(['key', 'value', 'errors']), ...lines].join('')
}

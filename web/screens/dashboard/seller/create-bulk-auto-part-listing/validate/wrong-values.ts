import { replacer, type Search } from '#web/components/data-grid/cell-writes.ts'
import type { FieldWrite } from '#web/components/data-grid/sheet.ts'
import { textOf } from '#web/components/data-grid/sheet-row.ts'
import { cellField, type FixingSheet } from './fixing-sheet.ts'

export type WrongValue = { text: string; count: number }

/** Values of a column that a check found wrong and that are still so, the most frequent first. */
export function wrongValues(fixing: FixingSheet, at: number): WrongValue[] {
  const counts = new Map<string, number>()
  for (const row of fixing.rows()) {
    const field = cellField(at)
    if (row.broken[field] === undefined) continue
    const text = textOf(row, field)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts]
    .map(([text, count]) => ({ text, count }))
    .toSorted((one, other) => other.count - one.count)
}

/** What replacing in the wrong cells of a column writes. An empty search means cells that are empty. */
export function replacements(
  fixing: FixingSheet,
  at: number,
  search: Search,
  replacement: string,
): FieldWrite[] {
  const field = cellField(at)
  const replace =
    search.find === ''
      ? (text: string) => (text.trim() === '' ? replacement : undefined)
      : replacer(search, replacement)
  return fixing.rows().flatMap((row): FieldWrite[] => {
    if (row.broken[field] === undefined) return []
    const before = textOf(row, field)
    const text = replace(before)
    return text === undefined || text === before ? [] : [{ id: row.id, field, text }]
  })
}

import { readTable } from './staged-cells.ts'
import { type GridRow, StagedSheet } from './staged-sheet.ts'
import type { StagedName } from './staging-calls.ts'

/** The open file: as text, or as a window of rows if it is too large. */
export type OpenFile = StagedName & {
  /** Undefined for a new file. */
  version: number | undefined
  rows: number
} & (
    | { kind: 'text'; contents: string }
    | { kind: 'window'; from: number; columns: string[]; window: GridRow[] }
  )

/** Rows of a large file shown at once. */
export const WINDOW_ROWS = 500

export const newFile = ({ root, path }: StagedName): OpenFile => ({
  root,
  path,
  version: undefined,
  rows: 0,
  kind: 'text',
  contents: '[\n  {}\n]',
})

/** The unsaved state of a file. */
export type Draft =
  | { mode: 'json'; text: JsonText; isChanged: boolean }
  | { mode: 'csv'; sheet: StagedSheet; isChanged: boolean }

export type DraftMode = Draft['mode']

/** The editor's text, read only when needed: building 8 MB at every key press would be slow. */
export type JsonText = { read: () => string }

export const jsonDraft = (text: string, changed: boolean): Draft => ({
  mode: 'json',
  text: { read: () => text },
  isChanged: changed,
})

/** As a grid if requested and possible; a large file is always a grid. */
export function draftOf(file: OpenFile, mode: DraftMode): Draft {
  if (file.kind === 'window') {
    return { mode: 'csv', sheet: new StagedSheet(file.columns, file.window, file.from), isChanged: false }
  }
  const grid = mode === 'csv' ? gridDraft(file.contents, false) : undefined
  return grid === undefined || typeof grid === 'string' ? jsonDraft(file.contents, false) : grid
}

/** The text as a grid, or a sentence why it is not a table. */
export function gridDraft(text: string, changed: boolean): Draft | string {
  const table = readTable(text)
  if (typeof table === 'string') return table
  const rows = table.rows.map((fields, place) => ({ id: `row-${place}`, fields }))
  return { mode: 'csv', sheet: new StagedSheet(table.columns, rows), isChanged: changed }
}

// As on the server: slashes and spaces at the end are ignored.
const CSV_END = /\.csv[/+\s]*$/i

/** Both extensions refer to the same file, which is read and saved as JSON. */
export const asJsonPath = (path: string): string => path.trim().replace(CSV_END, '.json')
export const isCsvPath = (path: string): boolean => CSV_END.test(path)

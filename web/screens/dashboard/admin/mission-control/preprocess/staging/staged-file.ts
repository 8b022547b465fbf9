import { readTable } from './staged-cells.ts'
import { type GridRow, StagedSheet } from './staged-sheet.ts'
import type { StagedName } from './staging-calls.ts'

/** What is open: a whole file as text, or rows of one that is too large for that. */
export type OpenFile = StagedName & {
  /** Undefined while there is no such file yet. */
  version: number | undefined
  rows: number
} & (
    | { kind: 'text'; contents: string }
    | { kind: 'window'; from: number; columns: string[]; window: GridRow[] }
  )

/** Rows of a large file that are shown at once. */
export const WINDOW_ROWS = 500

export const newFile = ({ root, path }: StagedName): OpenFile => ({
  root,
  path,
  version: undefined,
  rows: 0,
  kind: 'text',
  contents: '[\n  {}\n]',
})

/** What is changed of a file before it is saved. */
export type Draft =
  | { mode: 'json'; text: JsonText; isChanged: boolean }
  | { mode: 'csv'; sheet: StagedSheet; isChanged: boolean }

export type DraftMode = Draft['mode']

/** The text in an editor. Nobody makes a text of eight megabytes at every key: it is read when it is needed. */
export class JsonText {
  readonly start: string
  read: () => string

  constructor(start: string) {
    this.start = start
    this.read = () => start
  }
}

export const jsonDraft = (text: string, changed: boolean): Draft => ({
  mode: 'json',
  text: new JsonText(text),
  isChanged: changed,
})

/** As a grid where that was asked for and can be; rows of a large file are always one. */
export function draftOf(file: OpenFile, mode: DraftMode): Draft {
  if (file.kind === 'window') {
    return { mode: 'csv', sheet: new StagedSheet(file.columns, file.window, file.from), isChanged: false }
  }
  const grid = mode === 'csv' ? gridDraft(file.contents, false) : undefined
  return grid === undefined || typeof grid === 'string' ? jsonDraft(file.contents, false) : grid
}

/** The text as a grid; a sentence where it is no table. */
export function gridDraft(text: string, changed: boolean): Draft | string {
  const table = readTable(text)
  if (typeof table === 'string') return table
  const rows = table.rows.map((fields, place) => ({ id: `row-${place}`, fields }))
  return { mode: 'csv', sheet: new StagedSheet(table.columns, rows), isChanged: changed }
}

// As the server reads what was typed: slashes and spaces at the end mean nothing.
const CSV_END = /\.csv[/+\s]*$/i

/** A file is the same one as JSON and as CSV; it is read and saved as JSON. */
export const asJsonPath = (path: string): string => path.trim().replace(CSV_END, '.json')
export const isCsvPath = (path: string): boolean => CSV_END.test(path)

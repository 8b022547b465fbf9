import { promisifyRequest } from 'idb-keyval'
import { editedRows, openDeviceStore } from '#web/api/device-copies.ts'
import type { ImportFile } from './import-file.ts'

/**
 * A seller's corrections, by spreadsheet row number: all cells of the row in column order. An empty array means the row is
 * left out.
 */
export type RowEdits = ReadonlyMap<number, readonly string[]>

export const noEdits: RowEdits = new Map()

export const isLeftOut = (cells: readonly string[] | undefined): boolean => cells?.length === 0

/** The row with its corrections, or undefined if it is left out. */
export function editedRow(
  edits: RowEdits,
  row: number,
  cells: readonly string[],
): readonly string[] | undefined {
  const edited = edits.get(row) ?? cells
  return edits.has(row) && isLeftOut(edited) ? undefined : edited
}

export const sameCells = (one: readonly string[], other: readonly string[] = []): boolean =>
  one.length === other.length && one.every((cell, at) => cell === other[at])

export const sameEdits = (one: RowEdits, other: RowEdits): boolean =>
  one.size === other.size &&
  [...one].every(([row, cells]) => other.has(row) && sameCells(cells, other.get(row)))

/*
 * Corrections are stored in IndexedDB by file and row, so they survive a reload or a crash. If the browser cannot store
 * them, they last as long as the page.
 */

const MAX_FILES = 10

/** The key of a file's last change; rows are numbered from 1. */
const TOUCHED = 0

/** A file that was saved again, or is read with other settings, has its own corrections. */
export function editsKey({ file, reading }: ImportFile): string {
  const { encoding, delimiter, quote, ruler, headerRow, layout, sheet, sheets = [] } = reading
  const cut = ruler ? [JSON.stringify(ruler)] : []
  const how = [encoding, delimiter, quote, headerRow, layout, sheet ?? '', ...sheets, ...cut]
  return JSON.stringify([file.name, file.size, file.lastModified, ...how])
}

const store = openDeviceStore(editedRows, 'rows')

const rowsOf = (key: string) => IDBKeyRange.bound([key], [key, []])

export async function readEdits(key: string): Promise<RowEdits> {
  try {
    return await store('readonly', async (rows) => {
      const [keys, values] = await Promise.all([
        promisifyRequest(rows.getAllKeys(rowsOf(key))),
        promisifyRequest<unknown[]>(rows.getAll(rowsOf(key))),
      ])
      return new Map(
        keys.flatMap((kept, place): [number, string[]][] => {
          const row = Array.isArray(kept) ? kept[1] : undefined
          const cells = values[place]
          return typeof row === 'number' && row !== TOUCHED && isCells(cells) ? [[row, cells]] : []
        }),
      )
    })
  } catch {
    return new Map()
  }
}

/** Another version of the app may have stored something else. */
const isCells = (cells: unknown): cells is string[] =>
  Array.isArray(cells) && cells.every((cell) => typeof cell === 'string')

/** Stores the difference between the two. */
export async function writeEdits(key: string, before: RowEdits, now: RowEdits): Promise<void> {
  try {
    await store('readwrite', (rows) => {
      for (const [row, cells] of now) if (before.get(row) !== cells) rows.put([...cells], [key, row])
      for (const row of before.keys()) if (!now.has(row)) rows.delete([key, row])
      rows.put(Date.now(), [key, TOUCHED])
      return promisifyRequest(rows.transaction)
    })
  } catch {
    // Storage is full or blocked: the corrections last as long as the page.
  }
}

/** Deletes the corrections of the least recently edited files. */
export async function sweepEdits(): Promise<void> {
  try {
    await store('readwrite', async (rows) => {
      const keys = (await promisifyRequest(rows.getAllKeys())) as [string, number][]
      const files = keys.filter(([, row]) => row === TOUCHED)
      const times = await Promise.all(files.map((key) => promisifyRequest<number>(rows.get(key))))
      const newestFirst = files
        .map(([file], place) => ({ file, at: times[place] ?? 0 }))
        .toSorted((one, other) => other.at - one.at)
      for (const { file } of newestFirst.slice(MAX_FILES)) rows.delete(rowsOf(file))
    })
  } catch {
    // Nothing is stored.
  }
}

import { isDeepStrictEqual } from 'node:util'
import type { JsonValue } from '#db/schema.gen.ts'
import { type Fields, fieldText } from './staged-fields.ts'

export type CellPatch = {
  readonly field: string
  /** As it was read. */
  readonly old: unknown
  /** Undefined takes the field away. */
  readonly new: unknown
}

/** What shall happen to one row. */
export type RowPatch = {
  readonly id: string
  /** Where its reader saw it, counted from 0. */
  readonly row: number | undefined
  readonly cells: readonly CellPatch[]
  readonly isDeleted: boolean
}

/** A cell that does not say what its patch believes. */
export type CellConflict = { readonly field: string; readonly sentence: string }

/**
 * The fields of a row after its patches, one after the other. Fields keep the order they had. Answers the first cell that
 * says something else than was read.
 */
export function patchFields(
  before: Fields,
  cells: readonly CellPatch[],
): { fields: Fields } | { conflict: CellConflict } {
  const values = new Map(Object.entries(before))
  for (const { field, old, new: value } of cells) {
    const now = values.get(field)
    if (!isSame(now, old)) return { conflict: { field, sentence: conflictOf(field, now, old) } }
    if (value === undefined) values.delete(field)
    else values.set(field, value as JsonValue)
  }
  return { fields: Object.fromEntries(values) }
}

const isSame = (now: JsonValue | undefined, old: unknown) => isDeepStrictEqual(now ?? null, old ?? null)

const conflictOf = (field: string, now: JsonValue | undefined, old: unknown) =>
  `${field} says ${told(now)} now, not ${told(old as JsonValue | undefined)}`

const MOST_TOLD = 80

function told(value: JsonValue | undefined): string {
  const text = fieldText(value)
  if (text === '') return 'nothing'
  return `“${text.length > MOST_TOLD ? `${text.slice(0, MOST_TOLD)}…` : text}”`
}

type Sent = {
  readonly cells: readonly ({ id: string; row?: number | undefined; field: string } & Partial<CellPatch>)[]
  readonly deleteRows: readonly { id: string; row?: number | undefined }[]
}

/** What was sent, by rows. */
export function rowPatches({ cells, deleteRows }: Sent): Map<string, RowPatch> {
  const patches = new Map<string, RowPatch & { cells: CellPatch[] }>()
  const patchOf = ({ id, row }: { id: string; row?: number | undefined }) => {
    const known = patches.get(id) ?? { id, row, cells: [], isDeleted: false }
    patches.set(id, known)
    return known
  }
  for (const cell of cells) patchOf(cell).cells.push({ field: cell.field, old: cell.old, new: cell.new })
  for (const row of deleteRows) patches.set(row.id, { ...patchOf(row), isDeleted: true })
  return patches
}

/**
 * What a seller changed in rows of a file, by the row as Excel numbers it: all cells of the row, in
 * the order of the file's columns. No cells at all: the row is left out of every run.
 */
export type RowEdits = ReadonlyMap<number, readonly string[]>

export const noEdits: RowEdits = new Map()

export const isLeftOut = (cells: readonly string[] | undefined): boolean => cells?.length === 0

/** A row of the file as it counts: as edited, or as it stands; undefined for one that is left out. */
export function editedRow(
  edits: RowEdits,
  row: number,
  cells: readonly string[],
): readonly string[] | undefined {
  const edited = edits.get(row) ?? cells
  return edits.has(row) && isLeftOut(edited) ? undefined : edited
}

export const sameEdits = (one: RowEdits, other: RowEdits): boolean =>
  one.size === other.size &&
  [...one].every(([row, cells]) => {
    const others = other.get(row)
    return others?.length === cells.length && cells.every((cell, at) => cell === others[at])
  })

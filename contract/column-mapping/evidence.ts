import type { ColumnProfile } from './profile-columns.ts'

/** What the values of a column say of one field. */
export type Evidence = {
  /** 0..1: how many of the values can be of the field; below a half they speak against it. */
  fit: number
  /** 0..1: how sure the values alone make it, whatever the column is called. */
  strength: number
  /** What so many of the values are, for people: "years". */
  words: string
  /** How many of them are. */
  share: number
}

/** A file's columns together: what one of them is often shows beside another. */
export type Columns = readonly ColumnProfile[]

const found = new WeakMap<Columns, Map<string, Columns>>()

/**
 * The columns of a file that pass a test, asked once for all columns that are judged beside them: a file may have a thousand.
 * `test` is what its name says, nothing else.
 */
export function columnsThat(
  columns: Columns,
  name: string,
  test: (column: ColumnProfile) => boolean,
): Columns {
  let ofFile = found.get(columns)
  if (!ofFile) {
    ofFile = new Map()
    found.set(columns, ofFile)
  }
  let passed = ofFile.get(name)
  if (!passed) {
    passed = columns.filter(test)
    ofFile.set(name, passed)
  }
  return passed
}

/** The columns that stand next to one, so far away at most. */
export const columnsNear = (columns: Columns, { at }: ColumnProfile, distance: number): Columns =>
  columns.slice(Math.max(0, at - distance), at + distance + 1).filter((other) => other.at !== at)

export type Judge = (column: ColumnProfile, columns: Columns) => Evidence

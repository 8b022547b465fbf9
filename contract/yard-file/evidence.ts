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

export type Judge = (column: ColumnProfile, columns: Columns) => Evidence

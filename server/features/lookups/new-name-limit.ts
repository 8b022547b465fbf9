/** What a file brings of names that no lookup has. */
export type NewNameFigures = {
  /** Different ones. */
  readonly newNames: number
  readonly rowsWithNewNames: number
  readonly rows: number
}

export const MOST_NEW_NAMES = 50
/** In percent of a file's rows. */
export const MOST_NEW_NAME_ROWS = 5
// One make that is typed wrong may well be on every row of a small file; a column mapped wrongly has many names.
const FEW_NEW_NAMES = 10

/** Of what a file has more than may be made of it before somebody looked: different new names, rows with one, or both. */
export function tooManyNew({ newNames, rowsWithNewNames, rows }: NewNameFigures): {
  names: boolean
  rows: boolean
} {
  return {
    names: newNames > MOST_NEW_NAMES,
    rows: newNames > FEW_NEW_NAMES && rowsWithNewNames * 100 > rows * MOST_NEW_NAME_ROWS,
  }
}

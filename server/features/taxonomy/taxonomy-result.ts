import type { TaxonomyResult } from '#contract/taxonomy.ts'
import type { UnknownNames } from '#server/features/lookups/create-provisional-names.ts'
import type { StagingFile } from '#server/features/staging/queries.ts'
import { namesTold, questionsTold } from './name-uses.ts'
import type { RowResolver } from './row-resolver.ts'

/** The rule for names that files bring (DESIGN: lookups from files are provisional), as for the plan of a promotion. */
const MOST_NEW_NAMES = 50
const MOST_NEW_NAME_ROWS = 0.05
// One make that is typed wrong may well be on every row of a small file; a column mapped wrongly has many names.
const FEW_NEW_NAMES = 10

const number = (value: number) => value.toLocaleString('en-US')

/** Why the new names of a file are not made before somebody looked at them. */
export function stopReason({ newNames, rows, rowsWithNewNames }: RowResolver): string | null {
  if (newNames.count > MOST_NEW_NAMES) {
    return `${number(newNames.count)} names are new, more than ${MOST_NEW_NAMES}: none of them was made. Is a column mapped wrongly? Promoting the file asks once more.`
  }
  if (newNames.count > FEW_NEW_NAMES && rowsWithNewNames > rows * MOST_NEW_NAME_ROWS) {
    return `${number(rowsWithNewNames)} of ${number(rows)} rows have a new name, more than 5 %: none was made. Is a column mapped wrongly? Promoting the file asks once more.`
  }
  return null
}

type Resolved = {
  readonly file: StagingFile
  /** The version that says so now. */
  readonly version: number
  readonly resolver: RowResolver
  readonly created: UnknownNames
  readonly stopped: string | null
}

export function taxonomyResult({ file, version, resolver, created, stopped }: Resolved): TaxonomyResult {
  const { uses, rowsChanged, cellsChanged, spellingsReplaced } = resolver
  const createdCount = created.categories.length + created.manufacturers.length + created.models.length
  const unsureCount = uses.filter(({ verdict }) => verdict.kind === 'unsure').length
  return {
    message: sentence({ rowsChanged, rows: resolver.rows, createdCount, unsureCount }),
    root: file.root,
    files: [
      {
        path: file.path,
        contentType: 'application/json',
        version,
        updatedCount: rowsChanged,
        rewrittenCount: cellsChanged,
        modifiedCount: spellingsReplaced,
        createdCount,
      },
    ],
    createdCategories: [...created.categories],
    createdManufacturers: [...created.manufacturers],
    createdModels: created.models.map(({ manufacturer, model }) => ({ manufacturer, name: model })),
    names: namesTold(uses),
    unsure: questionsTold(uses),
    unsureCount,
    stopped,
  }
}

type Counts = { rowsChanged: number; rows: number; createdCount: number; unsureCount: number }

function sentence({ rowsChanged, rows, createdCount, unsureCount }: Counts): string {
  const changed =
    rowsChanged === 0
      ? `All names of ${number(rows)} rows stand as they should`
      : `Names were resolved in ${number(rowsChanged)} of ${number(rows)} rows`
  const created =
    createdCount === 0
      ? ''
      : `, ${number(createdCount)} new ${createdCount === 1 ? 'name was' : 'names were'} made`
  return `${changed}${created}${openInWords(unsureCount)}.`
}

/** The end of a result's sentence. */
export const openInWords = (unsureCount: number): string =>
  unsureCount === 0 ? '' : `; ${number(unsureCount)} ${unsureCount === 1 ? 'waits' : 'wait'} for a decision`

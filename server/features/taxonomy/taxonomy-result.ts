import type { TaxonomyResult } from '#contract/taxonomy.ts'
import type { UnknownNames } from '#server/features/lookups/create-provisional-names.ts'
import { MOST_NEW_NAME_ROWS, MOST_NEW_NAMES, tooManyNew } from '#server/features/lookups/new-name-limit.ts'
import type { StagingFile } from '#server/features/staging/queries.ts'
import { namesTold, questionsTold } from './name-uses.ts'
import type { RowResolver } from './row-resolver.ts'

const number = (value: number) => value.toLocaleString('en-US')

/** Why the new names of a file are not made before somebody looked at them. */
export function tooManyNewNamesReason({ newNames, rows, rowsWithNewNames }: RowResolver): string | null {
  const tooMany = tooManyNew({ newNames: newNames.count, rows, rowsWithNewNames })
  if (tooMany.names) {
    return `${number(newNames.count)} names are new, more than ${MOST_NEW_NAMES}: none of them was made. Is a column mapped wrongly? Promoting the file asks once more.`
  }
  if (tooMany.rows) {
    return `${number(rowsWithNewNames)} of ${number(rows)} rows have a new name, more than ${MOST_NEW_NAME_ROWS} %: none was made. Is a column mapped wrongly? Promoting the file asks once more.`
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

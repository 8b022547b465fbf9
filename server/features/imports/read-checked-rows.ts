import { type ImportDefaults, type ImportMapping, importFields } from '#contract/import-fields.ts'
import { lookupNames } from '#server/features/lookups/lookup-names.ts'
import { loadLookupNames } from '#server/features/lookups/name-queries.ts'
import { changesListing, newsOfRow } from '#server/features/promotion/listed-part.ts'
import { type FoundPart, findListedParts } from '#server/features/promotion/listed-part-queries.ts'
import { textOfRow } from '#server/features/promotion/row-text.ts'
import type { Db } from '#server/platform/database.ts'
import type { RowCheck } from './check-row.ts'
import { isListingId } from './field-listing-id.ts'
import { resolveColumns } from './header.ts'
import { type FileColumns, settleNamedRow } from './named-row.ts'
import type { RowSource, SentRow } from './row-source.ts'

export type JudgedRow = {
  readonly sent: SentRow
  readonly checked: ReturnType<RowCheck>
  /** Of a good row that names its listing by its id: that listing, and whether the row changes it. */
  readonly named: { readonly part: FoundPart; readonly changes: boolean } | undefined
}

export type CheckedFile = {
  readonly source: RowSource
  readonly check: RowCheck
  readonly mapping: ImportMapping
  readonly defaults: ImportDefaults
  readonly sellerId: string
}

/** The rows of a call with what is wrong with them. Of a file that names no listings the database is asked nothing. */
export async function* readCheckedRows(db: Db, file: CheckedFile): AsyncGenerator<JudgedRow[]> {
  const { source, check } = file
  const namesListings = file.mapping.listingid !== undefined || file.defaults.listingid !== undefined
  const settle = namesListings ? namedRowSettler(db, file) : undefined
  for await (const batch of source.batches) {
    const rows = batch.map((sent) => ({ sent, checked: check(sent.cells, sent.problem), named: undefined }))
    yield settle ? await settle(rows) : rows
  }
}

function namedRowSettler(db: Db, { source, mapping, defaults, sellerId }: CheckedFile) {
  const file: FileColumns = { header: source.header, columns: resolveColumns(source.header, mapping) }
  const ofFile = importFields.filter((field) => field in mapping || field in defaults)
  let names: ReturnType<typeof lookupNames> | undefined
  return async (rows: readonly JudgedRow[]): Promise<JudgedRow[]> => {
    const ids = rows.flatMap(({ checked }) => listingIdIn(checked) ?? [])
    const parts = await findListedParts(db, sellerId, ids)
    const settled: JudgedRow[] = []
    for (const { sent, checked: before } of rows) {
      const id = listingIdIn(before)
      const part = parts.get(id ?? '')
      const checked = id === undefined ? before : settleNamedRow(before, { cells: sent.cells, part, file })
      if (!part || !('fields' in checked)) {
        settled.push({ sent, checked, named: undefined })
        continue
      }
      const news = newsOfRow(textOfRow(checked.fields, ofFile), part)
      const isNews = Object.keys(news).length > 0
      if (isNews) names ??= lookupNames(await loadLookupNames(db))
      const changes = isNews && names !== undefined && changesListing(part, news, names)
      settled.push({ sent, checked, named: { part, changes } })
    }
    return settled
  }
}

function listingIdIn(checked: JudgedRow['checked']): string | undefined {
  const id = ('fields' in checked ? checked.fields : checked.said)?.listingid
  return id !== undefined && isListingId(id) ? id : undefined
}

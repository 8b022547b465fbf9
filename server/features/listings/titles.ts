import { sql } from 'kysely'
import { specOf } from '#contract/listing/listing-fields.ts'
import { yearSpanText } from '#contract/listing/year-span.ts'
import type { ListingColumns } from './listing-columns.ts'

export type TitleFields = {
  yearFrom: number | null
  yearTo: number | null
  manufacturerName: string
  modelName: string
  name: string
}

/** "2014 Ford F-150 Alternator", "2014–2017 Ford F-150 Alternator": a listing in one line. */
export function listingTitle({ yearFrom, yearTo, manufacturerName, modelName, name }: TitleFields): string {
  const years = yearSpanText({ from: yearFrom, to: yearTo }).replace('-', '–')
  return [years, manufacturerName, modelName, name].filter(Boolean).join(' ')
}

/** `listingTitle` in SQL, of a listing l. */
export const LISTING_TITLE = sql`
  concat_ws(' ', nullif(concat_ws('–', l.year_from, nullif(l.year_to, l.year_from)), ''),
            nullif(l.manufacturer_name, ''), nullif(l.model_name, ''), l.name)`

type Named = {
  readonly heading: string | null
  readonly manufacturer_name: string
  readonly model_name: string
}

const LONGEST = specOf('h1').longest ?? 0

/**
 * The heading of a listing whose make or model was renamed: the new name replaces the old one as a whole word. If that gets
 * too long, the heading is removed and the page shows the title instead.
 */
export function renamedHeading(
  { heading, ...before }: Named,
  columns: Partial<ListingColumns>,
): { heading?: string | null } {
  if (!heading) return {}
  let renamed = heading
  for (const column of ['model_name', 'manufacturer_name'] as const) {
    const [from, to] = [before[column], columns[column]]
    if (from && to && from !== to) renamed = renamed.replace(wholeWord(from), () => to)
  }
  if (renamed === heading) return {}
  return { heading: renamed.length <= LONGEST ? renamed : null }
}

const wholeWord = (name: string) => {
  const plain = name.replaceAll(/[$()*+.?[\\\]^{|}/]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${plain}(?![\\p{L}\\p{N}])`, 'giu')
}

/** The columns that headings are written from. */
const headingColumns = [
  'name',
  'year_from',
  'year_to',
  'manufacturer_name',
  'model_name',
  'trim_name',
  'part_number',
  'grade',
  'miles',
] as const satisfies readonly (keyof ListingColumns)[]
type HeadingColumns = Pick<ListingColumns, (typeof headingColumns)[number] | 'price_cents'>

/**
 * Removes the heading if an edit changes one of its columns without a new heading: the page then shows the title, which is
 * true. Prices change daily and count only if the heading has one.
 */
export function staleHeading(
  before: HeadingColumns & { heading?: string | null },
  columns: Partial<ListingColumns>,
): { heading?: null } {
  if (!before.heading || columns.heading !== undefined) return {}
  const changes = (column: keyof HeadingColumns) =>
    columns[column] !== undefined && columns[column] !== before[column]
  const isStale = headingColumns.some(changes) || (before.heading.includes('$') && changes('price_cents'))
  return isStale ? { heading: null } : {}
}

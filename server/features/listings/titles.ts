import { yearSpanText } from '#contract/listing/year-span.ts'
import type { ListingColumns } from './listing-columns.ts'

type Titled = { yearFrom: number; yearTo: number; manufacturerName: string; modelName: string; name: string }

/** "2014 Ford F-150 Alternator", "2014–2017 Ford F-150 Alternator": what a listing is called wherever it stands in one line. */
export function listingTitle({ yearFrom, yearTo, manufacturerName, modelName, name }: Titled): string {
  const years = yearSpanText({ from: yearFrom, to: yearTo }).replace('-', '–')
  return [years, manufacturerName, modelName, name].filter(Boolean).join(' ')
}

type Named = {
  readonly heading: string | null
  readonly manufacturer_name: string
  readonly model_name: string
}

// As long as the claim check lets one be: one line of a result page.
const LONGEST = 70

/**
 * The heading of a listing whose make or model is called otherwise from now on: the old name as a whole word gives way to
 * the new one. Where that gets too long there is none, and the page shows the title of its fields.
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
  const plain = name.replaceAll(/[$()*+.?[\\\]^{|}/-]/g, '\\$&')
  return new RegExp(`(?<![\\p{L}\\p{N}])${plain}(?![\\p{L}\\p{N}])`, 'giu')
}

type Said = Pick<
  ListingColumns,
  | 'name'
  | 'year_from'
  | 'year_to'
  | 'manufacturer_name'
  | 'model_name'
  | 'trim_name'
  | 'part_number'
  | 'grade'
  | 'miles'
  | 'price_cents'
>

/** What headings are made of. */
const said: readonly (keyof Said)[] = [
  'name',
  'year_from',
  'year_to',
  'manufacturer_name',
  'model_name',
  'trim_name',
  'part_number',
  'grade',
  'miles',
]

/**
 * Takes the heading away where an edit changes what it says and brings none of its own: the page shows the title of its
 * fields then, which is true. Prices change every day, and hardly any heading names one.
 */
export function staleHeading(
  before: Said & { heading?: string | null },
  columns: Partial<ListingColumns>,
): { heading?: null } {
  if (!before.heading || columns.heading !== undefined) return {}
  const changes = (column: keyof Said) => columns[column] !== undefined && columns[column] !== before[column]
  const isStale = said.some(changes) || (before.heading.includes('$') && changes('price_cents'))
  return isStale ? { heading: null } : {}
}

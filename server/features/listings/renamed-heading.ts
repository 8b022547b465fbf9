import type { ListingColumns } from './listing-columns.ts'

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

import { specOf } from '#contract/listing/listing-fields.ts'

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
  columns: Partial<Omit<Named, 'heading'>>,
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

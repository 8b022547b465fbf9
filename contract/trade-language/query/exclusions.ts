import type { YearSpan } from '#contract/listing/year-span.ts'
import { nameKey } from '#contract/trade-language/names.ts'
import type { Place } from '#contract/trade-language/places.ts'
import type { WordRoles } from '#contract/trade-language/words.ts'
import type { Size } from './sizes.ts'
import { isNumberLike, type ReadMeaning, type Span } from './split-words.ts'

/* What a buyer does not want: "without sensor", "-honda", "not 17 inch", "other than black". */

export type Excluded = {
  /** All words of any of these texts in a listing's name exclude it. */
  readonly names: readonly string[]
  readonly partIds: readonly string[]
  readonly makeIds: readonly string[]
  readonly modelIds: readonly string[]
  /** All places of any of these. */
  readonly places: readonly (readonly Place[])[]
  readonly years: readonly YearSpan[]
}

/** Spans that an exclusion names, and the positions of all of its words. */
export type Unwanted = { readonly spans: readonly Span[]; readonly at: readonly number[] }

const EXCLUDABLE: ReadonlySet<ReadMeaning['kind']> = new Set([
  'part',
  'make',
  'model',
  'side',
  'size',
  'engine',
  'year',
  'word',
])

type Words = { readonly words: readonly string[]; readonly roles: WordRoles }

/**
 * Separates what is excluded: what stands behind "not", with all that an "or" or "and" adds of its kind. Unknown words in a
 * row are one thing: "not dark blue". Damage excludes nothing: no listing says that it is "not cracked" in the same words.
 */
export function withoutExcluded(
  spans: readonly Span[],
  { words, roles }: Words,
): { wanted: readonly Span[]; unwanted: readonly Unwanted[] } {
  const wanted: Span[] = []
  const unwanted: Unwanted[] = []
  for (let at = 0; at < spans.length; at += 1) {
    const span = spans[at] as Span
    if (span.means.kind !== 'not') {
      wanted.push(span)
      continue
    }
    const excluded = excludedBehind(spans, at, { words, roles })
    const last = excluded.at(-1)?.at(-1)
    const isNumber =
      words[span.from] === 'no' &&
      last?.means.kind === 'word' &&
      isNumberLike(wordsOf(excluded.flat(), words))
    if (!last || isNumber) continue
    at = spans.indexOf(last)
    const said = excluded.filter(
      (group) => !wordsOf(group, words).some((word) => roles.set('damage').has(word)),
    )
    if (said.length === 0) continue
    unwanted.push({
      spans: said.map((group) => ({ ...(group[0] as Span), to: group.at(-1)?.to ?? 0 })),
      at: Array.from({ length: last.to - span.from }, (_, offset) => span.from + offset),
    })
  }
  return { wanted, unwanted }
}

const wordsOf = (spans: readonly Span[], words: readonly string[]) =>
  spans.flatMap(({ from, to }) => words.slice(from, to))

/** The things behind the "not" at a position, each as its spans. */
function excludedBehind(spans: readonly Span[], at: number, { words, roles }: Words): Span[][] {
  const isOf = (span: Span | undefined, role: string) =>
    span?.means.kind === 'skip' &&
    words.slice(span.from, span.to).every((word) => roles.set(role).has(nameKey(word)))
  let begin = at + 1
  while (isOf(spans[begin], 'article')) begin += 1
  const groups: Span[][] = []
  for (;;) {
    const kind = spans[begin]?.means.kind
    const [first] = groups[0] ?? []
    if (!kind || !EXCLUDABLE.has(kind) || (first && kind !== first.means.kind)) return groups
    let end = begin + 1
    while (kind === 'word' && spans[end]?.means.kind === 'word') end += 1
    groups.push(spans.slice(begin, end))
    if (spans[end]?.means.kind !== 'or' && !isOf(spans[end], 'conjunction')) return groups
    begin = end + 1
  }
}

export function excludedBy(unwanted: readonly Unwanted[], words: readonly string[]): Excluded {
  const all = unwanted.flatMap(({ spans }) => spans)
  const each = <T>(read: (means: ReadMeaning, text: string) => readonly T[]): T[] =>
    all.flatMap(({ means, from, to }) => read(means, words.slice(from, to).join(' ')))
  return {
    names: each((means, text) => {
      if (means.kind === 'part' || means.kind === 'word') return [text]
      if (means.kind === 'engine') return [means.spelling]
      return means.kind === 'size' ? namesOf(means.size) : []
    }),
    partIds: each((means) => (means.kind === 'part' ? means.types.map(({ id }) => id) : [])),
    makeIds: each((means) => (means.kind === 'make' ? means.makeIds : [])),
    modelIds: each((means) => (means.kind === 'model' ? means.models.flatMap(({ ids }) => ids) : [])),
    places: each((means) => (means.kind === 'side' ? [means.places] : [])),
    years: each((means) => (means.kind === 'year' ? [means.years] : [])),
  }
}

const namesOf = ({ spellings }: Size): string[] =>
  spellings.map((one) => (typeof one === 'string' ? one : one.join(' ')))

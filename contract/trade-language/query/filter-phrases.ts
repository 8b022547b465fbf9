import type { PartsQuery } from '#contract/search/parts-search.ts'

/*
 * What a sentence says that a filter says better: "near 30310", "within 100 miles of 48201", "under 80k miles". It becomes the
 * filter, so that it has the filter's chip and is in the address.
 */

type SaidFilters = Pick<PartsQuery, 'zip' | 'within' | 'milesMax'>

const ZIP = '(?:in |at )?(?:zip(?: ?code)?:? ?)?(\\d{5})(?:-\\d{4})?(?![\\w$-]|\\s*(?:k|mi|miles?)\\b)'
const MILES = '(?:mi|miles?)\\b\\.?'
const NUMBER = '(\\d{1,3}(?:,\\d{3})+|\\d{1,7})'
const MOST =
  '(?:under|below|less than|fewer than|(?:no|not) more than|up to|max(?:imum)?(?: of)?|at most|<=?)'

type Rule = readonly [pattern: string, said: (one: string, other: string) => SaidFilters]

// Numbers stay within the limits of the filters (`parts-search.ts`).
const RULES: readonly Rule[] = [
  [
    `(?:within|less than|under|up to|in)?\\s*(?:a )?(\\d{1,4})\\s*-?\\s*${MILES}\\s*(?:radius\\s*)?(?:of|from|around|to)\\s*${ZIP}`,
    (within, zip) => ({ within: Math.min(Math.max(Number(within), 1), 5_000), zip }),
  ],
  [
    `(?:near(?: me)?|close to(?: me)?|around|nearby|(?:ship(?:ped|ping)?|deliver(?:ed|y)?) to|zip(?: ?code)?:?|my zip(?: ?code)? is)[,:]?\\s*${ZIP}`,
    (zip) => ({ zip }),
  ],
  // Thousands alone are miles: nobody asks for a part under $80,000.
  [
    `(?:with )?${MOST}\\s*${NUMBER}\\s*(?:(k)(?:\\s*(?:${MILES}|mileage))?|(?:${MILES}|mileage))(?!\\w)(?!\\s*(?:of|from|away)\\b)`,
    (miles, thousands) => ({
      milesMax: Math.min(Number(miles.replaceAll(',', '')) * (thousands === '' ? 1 : 1_000), 9_999_999),
    }),
  ],
]
const ALL = RULES.map(([pattern, said]) => [new RegExp(`(?<![\\w$.-])${pattern}`, 'gi'), said] as const)

/** The text without these phrases, and what they say; the first of each kind counts. */
export function cutFilterPhrases(text: string): SaidFilters & { readonly text: string } {
  const found: SaidFilters[] = []
  const rest = ALL.reduce(
    (before, [pattern, said]) =>
      before.replaceAll(pattern, (_, one: string, other?: string | number) => {
        found.push(said(one, typeof other === 'string' ? other : ''))
        return ' '
      }),
    text,
  )
  if (found.length === 0) return { text }
  return { ...Object.assign({}, ...found.toReversed()), text: rest.replaceAll(/\s+/g, ' ').trim() }
}

/** The query with the filters that its words say, and these; one that was chosen holds. */
export function withSaidFilters(query: PartsQuery): { query: PartsQuery; said: SaidFilters | undefined } {
  const { text, ...found } = cutFilterPhrases(query.q ?? '')
  if (Object.keys(found).length === 0) return { query, said: undefined }
  const isNew = ([name]: [string, unknown]) => query[name as keyof SaidFilters] === undefined
  const said = Object.fromEntries(Object.entries(found).filter(isNew))
  return { query: { ...query, ...said, q: text }, said }
}

import type { YearSpan } from '#contract/listing/year-span.ts'
import { nameKey } from '#contract/trade-language/names.ts'
import type { Place } from '#contract/trade-language/places.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import type { Size } from './sizes.ts'
import { isNumberLike, isPartNumber, type ReadMeaning, type Span } from './split-words.ts'

/* What a buyer does not want: "without sensor", "-honda", "not 17 inch", "not 8th gen", "other than black". */

export type Excluded = {
  /** All words of any of these texts in a listing's name exclude it. */
  readonly names: readonly string[]
  readonly partIds: readonly string[]
  readonly makeIds: readonly string[]
  readonly modelIds: readonly string[]
  /** Parts off these models in these years: "not 8th gen", "not mk7". */
  readonly generations: readonly { readonly modelIds: readonly string[]; readonly years: YearSpan }[]
  readonly sellerIds: readonly string[]
  /** Part numbers. */
  readonly numbers: readonly string[]
  /** All positions in any of these. */
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
  'code',
  'year',
  'ordinal',
  'wish',
  'seller',
  'word',
])

type Words = { readonly words: readonly string[]; readonly vocabulary: Vocabulary }

/**
 * Separates the exclusions: what follows "not", with everything of the same kind added by "or" or "and". Unknown
 * words in a row count as one: "not dark blue". Damage excludes nothing: no listing says that it is "not cracked" in
 * the same words.
 */
export function withoutExcluded(
  all: readonly Span[],
  { words, vocabulary }: Words,
): { wanted: readonly Span[]; unwanted: readonly Unwanted[] } {
  const spans = apartFromPart(all, { words, vocabulary })
  const wanted: Span[] = []
  const unwanted: Unwanted[] = []
  for (let at = 0; at < spans.length; at += 1) {
    const span = spans[at] as Span
    if (span.means.kind !== 'not') {
      wanted.push(span)
      continue
    }
    const excluded = excludedBehind(spans, at, { words, vocabulary })
    const last = excluded.at(-1)?.at(-1)
    const isNumber =
      words[span.from] === 'no' &&
      last?.means.kind === 'word' &&
      isNumberLike(wordsOf(excluded.flat(), words))
    if (!last || isNumber) continue
    at = spans.indexOf(last)
    const said = excluded.filter(
      (group) => !wordsOf(group, words).some((word) => vocabulary.language.roles.set('damage').has(word)),
    )
    if (said.length === 0) continue
    unwanted.push({
      spans: said.map(asOne),
      at: Array.from({ length: last.to - span.from }, (_, offset) => span.from + offset),
    })
  }
  return { wanted, unwanted }
}

/**
 * The "sensor bumper" of a search "without sensor bumper" is no bumper sensor: if nothing else names a part, the words for
 * one in another order than its name's are what is excluded, and the part.
 */
function apartFromPart(spans: readonly Span[], around: Words): readonly Span[] {
  const parts = spans.filter(({ means }) => means.kind === 'part')
  const [only] = parts
  if (parts.length !== 1 || only?.means.kind !== 'part') return spans
  const at = spans.indexOf(only)
  let not = at - 1
  while (saysOnly(spans[not], 'article', around)) not -= 1
  const { words, vocabulary } = around
  const said = words.slice(only.from, only.to)
  const isNamedSo = only.means.types.some((type) =>
    vocabulary.partTypes
      .formsOf(type)
      .some((form) => form.join(' ').includes(vocabulary.partTypes.wordsIn(said.join(' ')).join(' '))),
  )
  if (spans[not]?.means.kind !== 'not' || isNamedSo || vocabulary.partTypes.phrase(said.join(' ')))
    return spans
  const meaningAt = (from: number, to: number) =>
    vocabulary.meaningsOf(words.slice(from, to)).find(({ kind }) => kind === 'part')
  const middles = Array.from({ length: only.to - only.from - 1 }, (_, less) => only.to - 1 - less)
  const divided = middles.flatMap((middle) => {
    const part = meaningAt(middle, only.to)
    if (part?.kind !== 'part' || part.isEnding) return []
    const unwanted = meaningAt(only.from, middle)
    const both: Span[] = [
      { from: only.from, to: middle, means: unwanted ?? { kind: 'word' } },
      { from: middle, to: only.to, means: part },
    ]
    return { both, isKnown: unwanted !== undefined }
  })
  const chosen = divided.find(({ isKnown }) => isKnown) ?? divided[0]
  return chosen ? spans.toSpliced(at, 1, ...chosen.both) : spans
}

/** Several words are words of a name, whatever the first of them means alone. */
const asOne = (group: readonly Span[]): Span =>
  group.length === 1
    ? (group[0] as Span)
    : { from: group[0]?.from ?? 0, to: group.at(-1)?.to ?? 0, means: { kind: 'word' } }

const wordsOf = (spans: readonly Span[], words: readonly string[]) =>
  spans.flatMap(({ from, to }) => words.slice(from, to))

/** Whether a filler contains only words of one role. */
const saysOnly = (span: Span | undefined, role: string, { words, vocabulary }: Words): boolean =>
  span?.means.kind === 'skip' &&
  wordsOf([span], words).every((word) => vocabulary.language.roles.set(role).has(nameKey(word)))

/** The meaning of a span after "not", where "auto" means automatic transmissions. */
function kindOf(span: Span | undefined, around: Words): ReadMeaning['kind'] | undefined {
  const word = around.words[span?.from ?? -1] ?? ''
  const isFiller = span?.means.kind === 'skip'
  const isShort = isFiller && around.vocabulary.partTypes.wordsIn(word)[0] !== word
  // "No aftermarket" asks for something, though the word alone does not.
  const isLook = isFiller && around.vocabulary.language.roles.set('look').has(word)
  // The LE of "camry -le" is a filler of another language elsewhere.
  const isTrim = isFiller && around.vocabulary.language.vehicleWords.isTrim(word)
  return (isShort || isLook || isTrim) && !saysOnly(span, 'article', around) ? 'word' : span?.means.kind
}

/** The exclusions after the "not" at a position, each as spans. */
function excludedBehind(spans: readonly Span[], at: number, around: Words): Span[][] {
  const groups: Span[][] = []
  let begin = at + 1
  while (saysOnly(spans[begin], 'article', around)) begin += 1
  for (;;) {
    const group = thingAt(spans, begin, around)
    const [before] = groups
    if (group.length === 0 || (before && kindOf(before[0], around) !== kindOf(group[0], around)))
      return groups
    groups.push(group)
    const link = spans[begin + group.length]
    if (link?.means.kind !== 'or' && !saysOnly(link, 'conjunction', around)) return groups
    begin += group.length + 1
  }
}

/** The exclusion with the words that belong to it; empty if the words cannot be excluded. */
function thingAt(spans: readonly Span[], begin: number, around: Words): Span[] {
  const kind = kindOf(spans[begin], around)
  if (kind === undefined || !EXCLUDABLE.has(kind)) return []
  const together = kind === 'part' && isNamedBefore(spans, begin) ? ['word', 'part'] : ['word']
  let end = begin + 1
  while (together.includes(kind) && together.includes(kindOf(spans[end], around) ?? '')) end += 1
  return spans.slice(begin, end)
}

/** A "hood without hood scoop" is a hood. */
const isNamedBefore = (spans: readonly Span[], at: number): boolean => {
  const part = spans[at]?.means
  return spans
    .slice(0, at)
    .some(({ means }) => means.kind === 'part' && part?.kind === 'part' && means.label === part.label)
}

/** `generationsOf` returns the generations of the search's models that an ordinal means. */
export function excludedBy(
  unwanted: readonly Unwanted[],
  { words, vocabulary, generationsOf }: Words & { generationsOf: (count: number) => Excluded['generations'] },
): Excluded {
  const all = unwanted.flatMap(({ spans }) => spans)
  const each = <T>(read: (means: ReadMeaning, text: string) => readonly T[]): T[] =>
    all.flatMap(({ means, from, to }) => read(means, words.slice(from, to).join(' ')))
  return {
    names: each((means, text) => {
      if (means.kind === 'ordinal') return generationsOf(means.count).length > 0 ? [] : [text]
      return namesExcluded(means, text, vocabulary)
    }),
    partIds: each((means) => (means.kind === 'part' ? means.types.map(({ id }) => id) : [])),
    makeIds: each((means) => (means.kind === 'make' ? means.makeIds : [])),
    modelIds: each((means) =>
      means.kind === 'model'
        ? means.models.flatMap(({ ids, generation, beside }) => (generation || beside !== '' ? [] : ids))
        : [],
    ),
    generations: each((means) => {
      if (means.kind === 'ordinal') return generationsOf(means.count)
      return means.kind === 'model'
        ? means.models.flatMap(({ ids, generation }) =>
            generation ? { modelIds: ids, years: generation.years } : [],
          )
        : []
    }),
    sellerIds: each((means) => (means.kind === 'seller' ? [means.id] : [])),
    numbers: each((means, text) => (means.kind === 'word' && isPartNumber(text) ? [text] : [])),
    places: each((means) => (means.kind === 'side' ? [means.places] : [])),
    years: each((means) => (means.kind === 'year' ? [means.years] : [])),
  }
}

/** The texts that exclude a listing by its name. */
function namesExcluded(means: ReadMeaning, text: string, { language, partTypes }: Vocabulary): string[] {
  const { vehicleWords } = language
  switch (means.kind) {
    case 'model': {
      // A coupe is a body of many models, not only MINI's and Maserati's model; an ES350 is one of several ES.
      const isBody = vehicleWords.isTrim(text) || vehicleWords.isBodyWord(text)
      const codes = means.models.flatMap(({ beside }) => (beside === '' ? [] : beside))
      return [...new Set([...(isBody ? [text] : []), ...codes])]
    }
    case 'wish':
      return [text, means.word]
    case 'word':
    case 'part':
    case 'skip':
      if (means.kind === 'word' && isPartNumber(text)) return []
      // As written and spelled out: 4x4 is 4WD.
      return [...new Set([text, partTypes.wordsIn(text).join(' ')])]
    case 'code':
      return [means.spelling]
    case 'size':
      return namesOf(means.size)
    default:
      return []
  }
}

const namesOf = ({ spellings, inNames = spellings }: Size): string[] =>
  inNames.map((one) => (typeof one === 'string' ? one : one.join(' ')))

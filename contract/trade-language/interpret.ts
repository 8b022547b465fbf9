import { MIN_PART_CERTAINTY, type PartName } from '#contract/trade-language/parts/part-names.ts'
import { readQuery, type Wanted } from '#contract/trade-language/query/query.ts'
import { type NamedSellers, splitWords } from '#contract/trade-language/query/split-words.ts'
import {
  type SplitCell,
  splitTitle,
  splitVehicle,
  splitYears,
} from '#contract/trade-language/vehicles/titles.ts'
import { nameKey, wordsOf } from './names.ts'
import type { Vocabulary } from './vocabulary.ts'

/*
 * The one interpreter of what people write about parts and cars. The same words always mean the same; `as` selects
 * what a use decides differently:
 * - 'query': a buyer's search. Several part types may be meant at once; words of ordinary sentences ask for nothing.
 * - 'name': a part's name in a file. It gets one part type or, if it could be several, none: a yard has to choose.
 * - 'title': a name with its vehicle. Only what stands in the text is read; what can be read in two ways is a problem.
 * - 'cell': a vehicle, or years. Here two digits are a year.
 */

/** How some of the words were understood. `sure` is how often such a reading is right, from 0 to 1. */
type Taken = {
  readonly kind:
    | 'part'
    | 'make'
    | 'model'
    | 'year'
    | 'side'
    | 'size'
    | 'number'
    | 'seller'
    | 'trim'
    | 'without'
    | 'price'
  readonly label: string
  /** Ids of the part types that are meant, all of which are possible. */
  readonly types?: readonly string[]
  readonly sure: number
}

type Interpretation = {
  readonly taken: readonly Taken[]
  /** Words without a known meaning. */
  readonly left: readonly string[]
}

/** The current year, and the sellers that a query may name. */
export type Circumstances = {
  readonly year: number
  readonly sellers?: NamedSellers
  readonly sellerKey?: (words: readonly string[]) => string
  /** The yard's own word for the category of a part's name. */
  readonly hint?: string
}

type Uses = { query: Wanted; name: PartName; title: SplitCell; cell: SplitCell }

/** The result for one use: `read` depends on the use; `taken` and `left` are the same for all uses. */
export function interpret<As extends keyof Uses>(
  text: string,
  vocabulary: Vocabulary,
  as: As,
  circumstances: Circumstances,
): Interpretation & { readonly read: Uses[As] }
export function interpret(
  text: string,
  vocabulary: Vocabulary,
  as: keyof Uses,
  circumstances: Circumstances,
): Interpretation & { readonly read: Uses[keyof Uses] } {
  if (as === 'query') return asQuery(text, vocabulary, circumstances)
  if (as === 'name') return asName(text, vocabulary, circumstances)
  return as === 'title' ? asTitle(text, vocabulary, circumstances) : asCell(text, vocabulary, circumstances)
}

// In a search, chips show what was understood, so that a buyer can correct it.
const SHOWN = 0.9

function asQuery(text: string, vocabulary: Vocabulary, { year, sellers, sellerKey }: Circumstances) {
  const read = readQuery(splitWords(text), vocabulary, {
    year,
    sellers: sellers ?? new Map(),
    sellerKey: sellerKey ?? nameKey,
  })
  const taken = read.recognized.flatMap(({ kind, label }): Taken[] => {
    if (kind === 'vin') return []
    return [{ kind, label, sure: SHOWN, ...(kind === 'part' && read.part && { types: read.part.ids }) }]
  })
  return { read, taken, left: read.words.flat() }
}

function asName(text: string, vocabulary: Vocabulary, { hint = '' }: Circumstances) {
  const read = vocabulary.partNames.match(text, hint)
  const { verdict, partType } = read
  const side = vocabulary.language.places.sideOf(text)
  const end = vocabulary.language.places.endOf(text)
  const types = verdict.kind === 'known' ? [verdict.id] : verdict.candidates.map(({ id }) => id)
  const label = verdict.kind === 'known' ? verdict.name : partType
  const part: Taken = { kind: 'part', label, types, sure: verdict.kind === 'known' ? verdict.certainty : 0.5 }
  const words = new Set(partType.split(' '))
  return {
    read,
    taken: [
      ...(types.length > 0 ? [part] : []),
      ...[side, end].flatMap((place): Taken[] =>
        place ? [{ kind: 'side', label: place, sure: MIN_PART_CERTAINTY }] : [],
      ),
    ],
    left: vocabulary.partTypes
      .withoutExtras(vocabulary.partTypes.wordsIn(text))
      .filter((word) => !words.has(word)),
  }
}

const FIELDS = { partyear: 'year', partmanu: 'make', partmodel: 'model', parttrim: 'trim' } as const

function takenOf({ fields, problem }: SplitCell): Taken[] {
  return (Object.keys(FIELDS) as (keyof typeof FIELDS)[]).flatMap((field) => {
    const label = fields[field]
    return label === undefined ? [] : [{ kind: FIELDS[field], label, sure: problem === undefined ? 1 : 0.5 }]
  })
}

function asTitle(text: string, vocabulary: Vocabulary, { year, hint = '' }: Circumstances) {
  const read = splitTitle(text, { vocabulary, year })
  // A title without a vehicle is a name.
  const part = asName(read.fields.partname ?? text, vocabulary, { year, hint })
  return { read, taken: [...takenOf(read), ...part.taken], left: part.left }
}

/** A cell with a part, as in a list of parts. */
const NO_VEHICLE: SplitCell = { fields: {} }

function asCell(text: string, vocabulary: Vocabulary, { year }: Circumstances) {
  const phrase = vocabulary.partTypes.meaningOfText(text)
  if (phrase && !phrase.isEnding) return { ...asName(text, vocabulary, { year }), read: NO_VEHICLE }
  const years = splitYears(text, { year })
  const read = years.problem === undefined ? years : splitVehicle(text, { vocabulary, year })
  const taken = takenOf(read)
  if (taken.length > 0) return { read, taken, left: [] }
  // Not a vehicle but a part, as in a cell with a list of parts.
  const part = asName(text, vocabulary, { year })
  return { read, taken: part.taken, left: part.taken.length > 0 ? part.left : wordsOf(text) }
}

import type { ColumnSplit } from '#contract/csv/import-fields.ts'
import type { PartName } from '#contract/trade-language/parts/part-names.ts'
import { MIN_PART_CERTAINTY } from '#contract/trade-language/parts/type-verdicts.ts'
import { readQuery, type Wanted } from '#contract/trade-language/query/query.ts'
import { type QueryContext, splitWords } from '#contract/trade-language/query/split-words.ts'
import {
  type SplitCell,
  type SplitRules,
  splitPricedTitle,
  splitTitle,
  splitVehicle,
  splitYears,
} from '#contract/trade-language/vehicles/titles.ts'
import { wordsOf } from './names.ts'
import type { Vocabulary } from './vocabulary.ts'

/*
 * The one interpreter of what people write about parts and cars. The same words always mean the same; `as` selects
 * what a use decides differently:
 * - 'query': a buyer's search. Several part types may be meant at once; words of ordinary sentences ask for nothing.
 * - 'name': a part's name in a file. It gets one part type or, if it could be several, none: a yard has to choose.
 * - 'title': a name with its vehicle. Only what stands in the text is read; what can be read in two ways is a problem.
 * - 'cell': what its column has (years, a vehicle, a title), or whatever it says. Here two digits are a year.
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

type Told = { readonly taken: readonly Taken[]; readonly left: readonly string[] }

/** What each use knows besides the text. `year` is the current one. */
type Circumstances = {
  /** The words of a search may have been split, and their spelling corrected. */
  query: QueryContext & { readonly words?: readonly string[] }
  /** `hint`: the yard's own word for the category. */
  name: { readonly hint?: string }
  title: { readonly year: number; readonly hint?: string }
  /** `header`: the name of the cell's column. */
  cell: {
    readonly year: number
    readonly of?: ColumnSplit['as'] | undefined
    readonly header?: string | undefined
  }
}
type Reads = { query: Wanted; name: PartName; title: SplitCell; cell: SplitCell }
type Use = keyof Reads
type Named = Pick<Vocabulary, 'partNames' | 'partTypes' | 'language'>

/** What a text says, as one of its uses. */
export const interpret = <As extends Use>(
  text: string,
  vocabulary: As extends 'name' ? Named : Vocabulary,
  as: As,
  circumstances: Circumstances[As],
): Interpretation<As> => new Interpretation(as, [text, vocabulary as Vocabulary, circumstances])

type Terms<As extends Use> = readonly [text: string, vocabulary: Vocabulary, circumstances: Circumstances[As]]
type Reader<As extends Use> = {
  readonly read: (...terms: Terms<As>) => Reads[As]
  readonly tell: (read: Reads[As], ...terms: Terms<As>) => Told
}

/** `read` is in its use's terms, `taken` and `left` in everybody's, for who asks for them: a file has a million cells. */
class Interpretation<As extends Use> {
  readonly read: Reads[As]
  readonly #as: As
  readonly #terms: Terms<As>
  #told: Told | undefined

  constructor(as: As, terms: Terms<As>) {
    const { read }: Reader<As> = uses[as]
    this.#as = as
    this.#terms = terms
    this.read = read(...terms)
  }

  get taken(): readonly Taken[] {
    return this.#tell().taken
  }

  /** Words that were taken for nothing. */
  get left(): readonly string[] {
    return this.#tell().left
  }

  #tell(): Told {
    const { tell }: Reader<As> = uses[this.#as]
    this.#told ??= tell(this.read, ...this.#terms)
    return this.#told
  }
}

const uses: { readonly [As in Use]: Reader<As> } = {
  query: {
    read: (text, vocabulary, { words, ...context }) =>
      readQuery(words ?? splitWords(text), vocabulary, context),
    tell: ({ recognized, part, words }) => ({
      taken: recognized.flatMap(({ kind, label }): Taken[] =>
        kind === 'vin'
          ? []
          : [{ kind, label, sure: SHOWN, ...(kind === 'part' && part && { types: part.ids }) }],
      ),
      left: words.flat(),
    }),
  },
  name: {
    read: (text, { partNames }, { hint = '' }) => partNames.match(text, hint),
    tell: tellName,
  },
  title: {
    read: (text, vocabulary, { year }) => splitTitle(text, { vocabulary, year }),
    tell(read, text, vocabulary, { hint = '' }) {
      // A title without a vehicle is a name.
      const name = read.fields.partname ?? text
      const part = tellName(vocabulary.partNames.match(name, hint), name, vocabulary)
      return { taken: [...takenOf(read), ...part.taken], left: part.left }
    },
  },
  cell: {
    read(text, vocabulary, { year, of, header }) {
      if (of !== undefined) return columns[of](text, { vocabulary, year }, header)
      const phrase = vocabulary.partTypes.meaningOfText(text)
      if (phrase && !phrase.isEnding) return { fields: {} }
      const years = splitYears(text, { year })
      return years.problem === undefined ? years : splitVehicle(text, { vocabulary, year })
    },
    tell(read, text, vocabulary) {
      const taken = takenOf(read)
      if (taken.length > 0) return { taken, left: [] }
      // No vehicle: a part, as in a list of parts that a cell holds.
      const part = tellName(vocabulary.partNames.match(text, ''), text, vocabulary)
      return { taken: part.taken, left: part.taken.length > 0 ? part.left : wordsOf(text) }
    },
  },
}

type ReadCell = (text: string, rules: SplitRules, header?: string) => SplitCell

const columns: Record<ColumnSplit['as'], ReadCell> = {
  years: splitYears,
  vehicle: splitVehicle,
  title: splitTitle,
  'priced title': splitPricedTitle,
}

// In a search, chips show what was understood, so that a buyer can correct it.
const SHOWN = 0.9

function tellName({ verdict, partType }: PartName, text: string, { language, partTypes }: Vocabulary): Told {
  const types = verdict.kind === 'known' ? [verdict.id] : verdict.candidates.map(({ id }) => id)
  const label = verdict.kind === 'known' ? verdict.name : partType
  const part: Taken = { kind: 'part', label, types, sure: verdict.kind === 'known' ? verdict.certainty : 0.5 }
  const { places } = language
  const words = new Set(partType.split(' '))
  return {
    taken: [
      ...(types.length > 0 ? [part] : []),
      ...[places.sideOf(text), places.endOf(text)].flatMap((place): Taken[] =>
        place ? [{ kind: 'side', label: place, sure: MIN_PART_CERTAINTY }] : [],
      ),
    ],
    left: partTypes.withoutExtras(partTypes.wordsIn(text)).filter((word) => !words.has(word)),
  }
}

const FIELDS = { partyear: 'year', partmanu: 'make', partmodel: 'model', parttrim: 'trim' } as const

function takenOf({ fields, problem }: SplitCell): Taken[] {
  return (Object.keys(FIELDS) as (keyof typeof FIELDS)[]).flatMap((field) => {
    const label = fields[field]
    return label === undefined ? [] : [{ kind: FIELDS[field], label, sure: problem === undefined ? 1 : 0.5 }]
  })
}

import type { YearSpan } from '#contract/listing/year-span.ts'
import type { ForeignRow } from '#contract/trade-language/parts/part-words.ts'
import { openVehicleWords, type VehicleWords } from '#contract/trade-language/vehicles/vehicle-words.ts'
import { nameKey } from './names.ts'
import { openPlaces, type Places } from './places.ts'
import { listOf, openWordRoles, type WordRoles, type WordRow } from './words.ts'

/* The language that the program comes with: what no administrator edits, and no catalog changes. */

/** The rows of the files of `db/data/`, as they are. Spans of years are such as "1999-2006". */
export type LanguageRows = {
  readonly words: readonly WordRow[]
  readonly foreign: readonly ForeignRow[]
  readonly fillers: readonly { readonly words: string }[]
  readonly generations: readonly {
    readonly manufacturer: string
    readonly model: string
    readonly codes: string
    readonly ordinal: string
    readonly model_years: string
  }[]
  readonly engines: readonly { readonly code: string; readonly manufacturers: string }[]
  readonly gearboxes: readonly { readonly part: string; readonly noun: string; readonly codes: string }[]
  readonly relatives: readonly { readonly type: string; readonly relatives: string }[]
  /** Only searches need them. */
  readonly ordinary?: readonly { readonly words: string }[]
}

/** A generation of a model, by the names that people have for it. */
type Generation = {
  readonly make: string
  readonly model: string
  readonly codes: readonly string[]
  /** 8 for the "8th gen"; undefined if people don't count them. */
  readonly ordinal: number | undefined
  readonly years: YearSpan
}

/** A code that names a part: LS1, 4L60E, NP246. */
type CodedPart = {
  /** The key that is a word of a listing's document. */
  readonly code: string
  readonly label: string
  /** The part type that has it, and what people call that. */
  readonly part: string
  readonly noun: string
  /** Who made cars with it, if that is known. */
  readonly makes: readonly string[]
}

export type Language = {
  readonly roles: WordRoles
  readonly places: Places
  readonly vehicleWords: VehicleWords
  readonly foreign: readonly ForeignRow[]
  /** Words of ordinary sentences that do not describe the part. */
  readonly fillers: readonly string[]
  /** Words of everyday English: they are never typos of part words, and add nothing to a part's name. */
  readonly ordinary: ReadonlySet<string>
  readonly generations: readonly Generation[]
  /** Codes of engines, transmissions and transfer cases. */
  readonly coded: readonly CodedPart[]
  /** Part types to show if a type is out of stock, because they contain or replace it. */
  readonly relatives: ReadonlyMap<string, readonly string[]>
  /** Names of large part types, which are never the piece of another part. */
  readonly wholeParts: ReadonlySet<string>
}

export function openLanguage(rows: LanguageRows): Language {
  const roles = openWordRoles(rows.words)
  return {
    roles,
    places: openPlaces(roles),
    vehicleWords: openVehicleWords(roles),
    foreign: rows.foreign,
    fillers: rows.fillers.flatMap(({ words }) => listOf(words)),
    ordinary: new Set(rows.ordinary?.flatMap(({ words }) => listOf(words))),
    generations: rows.generations.flatMap(({ manufacturer, model, codes, ordinal, model_years: years }) =>
      years.split(' ').map((span) => {
        const [from = 0, to = from] = span.split('-').map(Number)
        const count = ordinal === '' ? undefined : Number(ordinal)
        return { make: manufacturer, model, codes: listOf(codes), ordinal: count, years: { from, to } }
      }),
    ),
    coded: [
      ...rows.engines.map(({ code, manufacturers }) => ({
        ...{ code: nameKey(code), label: code, part: 'Engine Assembly', noun: 'engine' },
        makes: listOf(manufacturers),
      })),
      ...rows.gearboxes.flatMap(({ part, noun, codes }) =>
        listOf(codes).map((code) => ({ code: nameKey(code), label: code, part, noun, makes: [] })),
      ),
    ],
    relatives: new Map(rows.relatives.map(({ type, relatives }) => [type, listOf(relatives)])),
    wholeParts: roles.set('whole part'),
  }
}

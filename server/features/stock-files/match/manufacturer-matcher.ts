import { makeAbbreviations } from '#contract/column-mapping/vehicle-names.ts'
import { nameKey, plainName } from '#server/features/lookups/lookup-names.ts'
import { isPlaceholder, splitNames, squash, TrigramIndex, typoBetween, wordsOf } from './name-form.ts'
import {
  type KnownName,
  known,
  type MatchMethod,
  type NameVerdict,
  newUnlessSimilar,
  oneOfSeveral,
  ProvisionalNames,
  unsure,
} from './name-verdict.ts'

/* Finds the manufacturer for a typed name: aliases first, then spellings, abbreviations, extra words and typos. */

/** By the squashed abbreviation. */
export const MAKE_ABBREVIATIONS: ReadonlyMap<string, string> = new Map(Object.entries(makeAbbreviations))

/** Names for one of several makes; the model may show which. */
export const AMBIGUOUS_MAKES: ReadonlyMap<string, readonly string[]> = new Map([
  ['merc', ['Mercedes-Benz', 'Mercury']],
  ['gm', ['Chevrolet', 'GMC', 'Buick', 'Cadillac', 'Pontiac', 'Oldsmobile', 'Saturn']],
  ['generalmotors', ['Chevrolet', 'GMC', 'Buick', 'Cadillac', 'Pontiac', 'Oldsmobile', 'Saturn']],
  ['mopar', ['Dodge', 'Chrysler', 'Jeep', 'Plymouth', 'Ram']],
  ['dodgeram', ['Dodge', 'Ram']],
])

/** Words beside a make that do not belong to its name. */
const EXTRA_MAKE_WORDS: ReadonlySet<string> = new Set([
  ...[
    'truck',
    'trucks',
    'van',
    'vans',
    'car',
    'cars',
    'auto',
    'autos',
    'automobile',
    'automobiles',
    'light',
    'duty',
  ],
  ...[
    'motor',
    'motors',
    'company',
    'co',
    'corp',
    'corporation',
    'inc',
    'ltd',
    'llc',
    'ag',
    'group',
    'division',
  ],
  ...['usa', 'us', 'america', 'north', 'of', 'the'],
])

/** Makes that are not in the catalog, listed so that they are not taken for typos. */
const OTHER_MAKES: ReadonlySet<string> = new Set([
  ...[
    'amc',
    'austin',
    'autobianchi',
    'auburn',
    'byd',
    'chery',
    'checker',
    'citroen',
    'cord',
    'crosley',
    'dacia',
  ],
  ...[
    'datsun',
    'delorean',
    'desoto',
    'edsel',
    'frazer',
    'geely',
    'greatwall',
    'harleydavidson',
    'hillman',
    'hino',
  ],
  ...[
    'holden',
    'hudson',
    'international',
    'jensen',
    'kaiser',
    'kawasaki',
    'kenworth',
    'lada',
    'lancia',
    'mack',
  ],
  ...[
    'mahindra',
    'maruti',
    'merkur',
    'mg',
    'morgan',
    'morris',
    'nash',
    'opel',
    'packard',
    'peterbilt',
    'peugeot',
  ],
  ...['polaris', 'proton', 'rambler', 'renault', 'rover', 'seat', 'skoda', 'sterling', 'studebaker', 'tata'],
  ...[
    'triumph',
    'vauxhall',
    'westernstar',
    'willys',
    'yamaha',
    'yugo',
    'magna',
    'navistar',
    'gremlin',
    'lancer',
  ],
])

const MIN_SIMILARITY = 0.4

const hasSeveralNames = (text: string) => /[,;|]/.test(text) && splitNames(text).length > 1

/** Built once, then used for any number of names. */
export class ManufacturerMatcher {
  readonly #exact = new Map<string, { entry: KnownName; how: MatchMethod }>()
  readonly #spellings = new Map<string, KnownName>()
  readonly #similar = new TrigramIndex<KnownName>()
  readonly #provisional: ProvisionalNames

  constructor(manufacturers: readonly KnownName[]) {
    for (const entry of manufacturers) {
      for (const alias of entry.aliases) this.#add(alias, entry, 'alias')
    }
    for (const entry of manufacturers) if (entry.confirmed) this.#add(entry.name, entry, 'exact')
    this.#provisional = new ProvisionalNames(manufacturers)
  }

  match(text: string): NameVerdict {
    const exact = this.#exact.get(nameKey(text))
    if (exact) return known(exact.entry, exact.how)
    const found = this.#bySpelling(wordsOf(text)) ?? this.#byTypo(text) ?? this.#provisional.match(text)
    if (found) return found
    if (isPlaceholder(text)) return unsure('Not a manufacturer.')
    const several = this.#severalIn(text)
    if (several.size > 1) return oneOfSeveral(several)
    const [key, name] = [squash(text), plainName(text)]
    if (OTHER_MAKES.has(key)) return { kind: 'new', name }
    if (hasSeveralNames(text)) return unsure('There are several names here.')
    const first = this.atBeginning(wordsOf(text))
    if (first)
      return unsure('This is a manufacturer followed by other words.', [
        { id: first.entry.id, name: first.entry.name, confidence: 0.6 },
      ])
    return newUnlessSimilar(this.#similar, { key, name, min: MIN_SIMILARITY })
  }

  /** The manufacturer at the beginning of these words, and how many words its name takes. */
  atBeginning(words: readonly string[]): { entry: KnownName; words: number } | undefined {
    for (let count = Math.min(words.length, 3); count > 0; count -= 1) {
      const found = this.#find(squash(words.slice(0, count)))
      if (found) return { entry: found, words: count }
    }
    return undefined
  }

  #add(name: string, entry: KnownName, how: MatchMethod): void {
    this.#exact.set(nameKey(name), { entry, how })
    this.#spellings.set(squash(name), entry)
    this.#similar.add(squash(name), entry)
  }

  #bySpelling(words: readonly string[]): NameVerdict | undefined {
    const spelled = this.#spellings.get(squash(words))
    if (spelled) return known(spelled, 'spelling')
    const short = this.#find(squash(words))
    if (short) return known(short, 'abbreviation')
    const make = words.filter((word) => !EXTRA_MAKE_WORDS.has(word))
    const within = make.length < words.length ? this.#find(squash(make)) : undefined
    return within && known(within, 'within')
  }

  /** By a squashed name or abbreviation. */
  #find(key: string): KnownName | undefined {
    const name = MAKE_ABBREVIATIONS.get(key)
    return this.#spellings.get(key) ?? (name === undefined ? undefined : this.#spellings.get(squash(name)))
  }

  #byTypo(text: string): NameVerdict | undefined {
    const typed = squash(text)
    if (OTHER_MAKES.has(typed)) return undefined
    let best: { entry: KnownName; edits: number; isOnly: boolean } | undefined
    for (const [spelling, entry] of this.#spellings) {
      const edits = typoBetween(typed, spelling)
      if (edits === undefined || (best && edits > best.edits)) continue
      const isOnly = !best || edits < best.edits || (best.isOnly && best.entry === entry)
      best = { entry, edits, isOnly }
    }
    return best?.isOnly ? known(best.entry, 'similar', best.edits) : undefined
  }

  /** The makes behind a word like "Merc", or those in "Toyota/Lexus". */
  #severalIn(text: string): Set<KnownName> {
    const makes = (AMBIGUOUS_MAKES.get(squash(text)) ?? []).flatMap(
      (name) => this.#spellings.get(squash(name)) ?? [],
    )
    const parts = splitNames(text)
    const named = parts.length > 1 ? parts.flatMap((part) => this.#find(squash(part)) ?? []) : []
    return new Set([...makes, ...named])
  }
}

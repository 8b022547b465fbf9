import { nameKey, plainName } from '#server/features/lookups/lookup-names.ts'
import { isPlaceholder, namesOf, squash, TrigramIndex, typoBetween, wordsOf } from './name-form.ts'
import {
  type KnownName,
  known,
  type MatchedHow,
  type NameVerdict,
  ProvisionalNames,
  unsure,
} from './name-verdict.ts'

/* Manufacturers as people call them, by letters and digits alone (`squash`). Aliases of the lookups go before all of this. */

export const MAKE_ABBREVIATIONS: Readonly<Record<string, string>> = {
  alfa: 'Alfa Romeo',
  aston: 'Aston Martin',
  benz: 'Mercedes-Benz',
  bimmer: 'BMW',
  caddy: 'Cadillac',
  chev: 'Chevrolet',
  chevvy: 'Chevrolet',
  chevy: 'Chevrolet',
  chevys: 'Chevrolet',
  chrys: 'Chrysler',
  gmctruck: 'GMC',
  hyund: 'Hyundai',
  infinity: 'INFINITI',
  jag: 'Jaguar',
  lambo: 'Lamborghini',
  linc: 'Lincoln',
  lr: 'Land Rover',
  mb: 'Mercedes-Benz',
  mercbenz: 'Mercedes-Benz',
  mercedes: 'Mercedes-Benz',
  mitsu: 'Mitsubishi',
  niss: 'Nissan',
  olds: 'Oldsmobile',
  plym: 'Plymouth',
  pont: 'Pontiac',
  porsch: 'Porsche',
  rangerover: 'Land Rover',
  rolls: 'Rolls-Royce',
  subie: 'Subaru',
  suby: 'Subaru',
  volks: 'Volkswagen',
  volkswagon: 'Volkswagen',
  vw: 'Volkswagen',
}

/** Words that mean one of several; the model tells which, if anything does. */
const AMBIGUOUS_MAKES: Readonly<Record<string, readonly string[]>> = {
  merc: ['Mercedes-Benz', 'Mercury'],
  gm: ['Chevrolet', 'GMC', 'Buick', 'Cadillac', 'Pontiac', 'Oldsmobile', 'Saturn'],
  generalmotors: ['Chevrolet', 'GMC', 'Buick', 'Cadillac', 'Pontiac', 'Oldsmobile', 'Saturn'],
  mopar: ['Dodge', 'Chrysler', 'Jeep', 'Plymouth', 'Ram'],
  dodgeram: ['Dodge', 'Ram'],
}

/** Beside a manufacturer's name, no part of it. */
const BESIDE_THE_MAKE: ReadonlySet<string> = new Set([
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

/** Makes that the catalogue does not have. They are no mistyped others. */
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

const LEAST_SIMILARITY = 0.4
const MOST_CANDIDATES = 5

/** Finds the manufacturer that a text means. Built once, for any number of texts. */
export class ManufacturerMatcher {
  readonly #exact = new Map<string, { entry: KnownName; how: MatchedHow }>()
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
    const words = wordsOf(text)
    const found = this.#asWritten(words) ?? this.#mistyped(text) ?? this.#provisional.match(text)
    if (found) return found
    if (isPlaceholder(text)) return unsure('It names no manufacturer.')
    return this.#several(text) ?? this.#open(text)
  }

  /** The manufacturer with whose name the words begin, and how many of them it takes. */
  atBeginning(words: readonly string[]): { entry: KnownName; words: number } | undefined {
    for (let count = Math.min(words.length, 3); count > 0; count -= 1) {
      const found = this.#bySpelling(squash(words.slice(0, count)))
      if (found) return { entry: found, words: count }
    }
    return undefined
  }

  /** Those that a word like "Merc" may mean. */
  meantBy(text: string): KnownName[] {
    const key = squash(text)
    const names = Object.hasOwn(AMBIGUOUS_MAKES, key) ? AMBIGUOUS_MAKES[key] : undefined
    return (names ?? []).flatMap((name) => this.#spellings.get(squash(name)) ?? [])
  }

  #add(name: string, entry: KnownName, how: MatchedHow): void {
    this.#exact.set(nameKey(name), { entry, how })
    this.#spellings.set(squash(name), entry)
    this.#similar.add(squash(name), entry)
  }

  #asWritten(words: readonly string[]): NameVerdict | undefined {
    const whole = this.#spellings.get(squash(words))
    if (whole) return known(whole, 'spelling')
    const short = this.#bySpelling(squash(words))
    if (short) return known(short, 'abbreviation')
    const make = words.filter((word) => !BESIDE_THE_MAKE.has(word))
    const within = make.length < words.length ? this.#bySpelling(squash(make)) : undefined
    return within && known(within, 'within')
  }

  #bySpelling(key: string): KnownName | undefined {
    const name = Object.hasOwn(MAKE_ABBREVIATIONS, key) ? MAKE_ABBREVIATIONS[key] : undefined
    return this.#spellings.get(key) ?? (name === undefined ? undefined : this.#spellings.get(squash(name)))
  }

  #several(text: string): NameVerdict | undefined {
    const meant = this.meantBy(text)
    const parts = namesOf(text)
    const named = parts.length > 1 ? parts.flatMap((part) => this.#bySpelling(squash(part)) ?? []) : []
    const several = new Set([...meant, ...named])
    if (several.size < 2) return undefined
    const candidates = [...several].map(({ id, name }) => ({ id, name, confidence: 0.5 }))
    return unsure('It may be one of several.', candidates)
  }

  #mistyped(text: string): NameVerdict | undefined {
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

  #open(text: string): NameVerdict {
    if (OTHER_MAKES.has(squash(text))) return { kind: 'new', name: plainName(text) }
    const alike = this.#similar.find(squash(text), { least: LEAST_SIMILARITY, most: MOST_CANDIDATES })
    if (alike.length === 0) return { kind: 'new', name: plainName(text) }
    const candidates = alike.map(({ entry: { id, name }, similarity }) => ({
      id,
      name,
      confidence: similarity,
    }))
    return unsure('It looks like another name.', candidates)
  }
}

import { type LookupKind, nounOf } from '#server/features/lookups/lookup-kind.ts'
import { nameKey, plainName } from '#server/features/lookups/lookup-names.ts'
import { MAKE_ABBREVIATIONS } from './manufacturer-matcher.ts'
import { squash } from './name-form.ts'
import {
  type Candidate,
  type KnownName,
  LEAST_CONFIDENCE,
  type MatchedHow,
  type NameVerdict,
} from './name-verdict.ts'

/*
 * How makers write names that the rules of case would get wrong, by letters and digits alone. What came with the
 * catalogue is written as it is there and needs no entry.
 */

const MANUFACTURER_SPELLINGS: Readonly<Record<string, string>> = {
  ...bySquash([
    'AMC',
    'BMW',
    'BYD',
    'DeLorean',
    'DeSoto',
    'GMC',
    'MG',
    'MINI',
    'RAM',
    'SRT',
    'Citroën',
    'Škoda',
  ]),
  ...bySquash(['Mercedes-Benz', 'Rolls-Royce', 'Harley-Davidson', 'McLaren', 'VinFast']),
}

/** Of models, whoever makes them. */
const MODEL_SPELLINGS: Readonly<Record<string, string>> = {
  ...bySquash(['F-100', 'F-150', 'F-250', 'F-350', 'F-450', 'F-550', 'E-150', 'E-250', 'E-350', 'E-450']),
  ...bySquash([
    'C-10',
    'C-20',
    'K-10',
    'S-10',
    'CR-V',
    'HR-V',
    'CR-X',
    'CR-Z',
    'WR-V',
    'RAV4',
    'C-HR',
    'MR2',
  ]),
  ...bySquash([
    'CX-3',
    'CX-5',
    'CX-7',
    'CX-9',
    'CX-30',
    'CX-50',
    'CX-90',
    'MX-3',
    'MX-5',
    'MX-6',
    'RX-7',
    'RX-8',
  ]),
  ...bySquash([
    'CJ-5',
    'CJ-7',
    'PT Cruiser',
    'HHR',
    'SSR',
    'GTO',
    'CTS-V',
    'XC60',
    'XC70',
    'XC90',
    'TrailBlazer',
  ]),
}

/** Words of parts that are letters, not words. */
const PART_LETTERS: ReadonlySet<string> = new Set([
  ...[
    'abs',
    'ac',
    'bcm',
    'cd',
    'cv',
    'dvd',
    'ecm',
    'ecu',
    'egr',
    'evap',
    'gps',
    'hid',
    'hvac',
    'iac',
    'led',
    'lcd',
  ],
  ...['maf', 'map', 'pcm', 'pcv', 'srs', 'tcm', 'tipm', 'tps', 'tpms', 'tv', 'usb', 'vvt'],
])

function bySquash(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.map((name) => [
      name
        .normalize('NFKD')
        .replaceAll(/[^A-Za-z0-9]/g, '')
        .toLowerCase(),
      name,
    ]),
  )
}

const SMALL_WORDS = /^(?:a|an|and|at|for|in|of|on|or|the|to|w|with)$/
const spellings = { manufacturer: MANUFACTURER_SPELLINGS, car_model: MODEL_SPELLINGS, category: {} }

/** A name as it should be written: one space between words, a maker's own spelling, case where it was all of one. */
export function properName(kind: LookupKind, name: string): string {
  const plain = plainName(name)
  const own: Readonly<Record<string, string>> = spellings[kind]
  const key = squash(plain)
  if (Object.hasOwn(own, key)) return own[key] ?? plain
  if (!hasOneCase(plain)) return plain
  return plain.replaceAll(/[\p{L}\p{N}]+/gu, (word, at: number) => cased(kind, word, at === 0))
}

/** All capitals or none: typed without care. A name of few capitals is letters (BMW, MDX), unless it names a part. */
const hasOneCase = (name: string) =>
  /\p{L}/u.test(name) && (name === name.toLowerCase() || name === name.toUpperCase())

const FEW_LETTERS = 3

function cased(kind: LookupKind, word: string, isFirst: boolean): string {
  const small = word.toLowerCase()
  if (/\d/.test(word)) return word.toUpperCase()
  if (!isFirst && SMALL_WORDS.test(small)) return small
  if (kind === 'category') return PART_LETTERS.has(small) ? word.toUpperCase() : capital(small)
  const isLetters = word.length <= FEW_LETTERS && (word === word.toUpperCase() || !/[aeiouy]/.test(small))
  return isLetters ? word.toUpperCase() : capital(small)
}

const capital = (small: string) => small.charAt(0).toUpperCase() + small.slice(1)

/** A lookup whose name is looked at. */
export type NamedRecord = KnownName & {
  /** Of a model. */
  readonly manufacturerId: string | null
  readonly manufacturer: string | null
  /** It came with the program. */
  readonly isOfCatalogue: boolean
  /** Where it stands among all that are looked at. */
  readonly place: string
}

export type NameDecision =
  | { readonly kind: 'keep' }
  | { readonly kind: 'rename'; readonly name: string }
  | {
      readonly kind: 'merge'
      readonly into: { readonly id: string; readonly name: string }
      readonly why: string
    }
  /** For a person to say. */
  | { readonly kind: 'ask'; readonly reason: string; readonly candidates: readonly Candidate[] }

/** What a name may mean: of a provisional one among the confirmed, of a confirmed one among those of the catalogue. */
export type Meaning = (record: NamedRecord) => NameVerdict

const keep: NameDecision = { kind: 'keep' }

/** Decides about names of one kind. Whatever is not certain is left to a person. */
export class NamePlan {
  readonly #kind: LookupKind
  readonly #meaning: Meaning
  readonly #bySpelling: Map<string, NamedRecord[]>

  constructor(kind: LookupKind, records: readonly NamedRecord[], meaning: Meaning) {
    this.#kind = kind
    this.#meaning = meaning
    this.#bySpelling = Map.groupBy(records, (record) => spellingOf(record))
    for (const same of this.#bySpelling.values())
      same.sort((a, b) => rankOf(kind, a) - rankOf(kind, b) || (a.id < b.id ? -1 : 1))
  }

  decide(record: NamedRecord): NameDecision {
    if (record.isOfCatalogue) return keep
    return (
      this.#otherWord(record) ??
      this.#otherSpelling(record) ??
      this.#meant(record) ??
      written(record, properName(this.#kind, record.name))
    )
  }

  /** "Chevy", for which nobody writes another name. */
  #otherWord(record: NamedRecord): NameDecision | undefined {
    const key = squash(record.name)
    if (this.#kind !== 'manufacturer' || !Object.hasOwn(MAKE_ABBREVIATIONS, key)) return undefined
    const name = MAKE_ABBREVIATIONS[key] ?? record.name
    const [into] = this.#bySpelling.get(squash(name)) ?? []
    return into ? merge(into, 'another word for it') : { kind: 'rename', name }
  }

  /** The same letters and digits as one that counts more. */
  #otherSpelling(record: NamedRecord): NameDecision | undefined {
    const [first] = this.#bySpelling.get(spellingOf(record)) ?? []
    return first && first.id !== record.id ? merge(first, 'the same letters and digits') : undefined
  }

  #meant(record: NamedRecord): NameDecision | undefined {
    const verdict = this.#meaning(record)
    if (verdict.kind === 'unsure') {
      return record.confirmed
        ? undefined
        : { kind: 'ask', reason: verdict.reason, candidates: verdict.candidates }
    }
    if (verdict.kind === 'new' || verdict.id === record.id) return undefined
    if (isCertain(verdict, this.#kind, record.confirmed)) return merge(verdict, ways[verdict.how])
    // Somebody made it on purpose.
    if (record.confirmed) return undefined
    const { id, name, confidence } = verdict
    return {
      kind: 'ask',
      reason: `It may be that ${nounOf(this.#kind)}.`,
      candidates: [{ id, name, confidence }],
    }
  }
}

const written = (record: NamedRecord, name: string): NameDecision =>
  name === record.name || name === '' ? keep : { kind: 'rename', name }

/** By what names are the same: letters and digits, of models with the manufacturer. */
const spellingOf = ({ name, manufacturerId }: NamedRecord): string => {
  const letters = squash(name) || nameKey(name)
  return manufacturerId === null ? letters : `${manufacturerId}/${letters}`
}

/** Of names that are one: that of the catalogue, else a confirmed one, else one that is well written, else the oldest. */
const rankOf = (kind: LookupKind, { isOfCatalogue, confirmed, name }: NamedRecord): number =>
  (isOfCatalogue ? 0 : 4) + (confirmed ? 0 : 2) + (properName(kind, name) === name ? 0 : 1)

const ways: Record<MatchedHow, string> = {
  exact: 'the same name',
  alias: 'another name of it',
  spelling: 'another spelling',
  abbreviation: 'an abbreviation',
  within: 'its name with words around it',
  similar: 'mistyped',
}

const PLAIN: ReadonlySet<MatchedHow> = new Set(['exact', 'alias', 'spelling', 'abbreviation'])

/**
 * Certain enough to merge, which is harder to take back than a row of a file: nothing is lost by it. Words beside a model
 * may be its trim, and those beside a part its side.
 */
function isCertain(
  { how, confidence, trim }: NameVerdict & { kind: 'known' },
  kind: LookupKind,
  confirmed: boolean,
): boolean {
  if (trim !== undefined) return false
  if (PLAIN.has(how)) return true
  return !confirmed && confidence >= LEAST_CONFIDENCE && (how === 'similar' || kind === 'manufacturer')
}

const merge = ({ id, name }: { id: string; name: string }, why: string): NameDecision => ({
  kind: 'merge',
  into: { id, name },
  why,
})

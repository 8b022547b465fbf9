import { lookupKey, nameKey, plainName } from '#contract/trade-language/names.ts'
import {
  type Candidate,
  type KnownName,
  type KnownVerdict,
  type MatchMethod,
  MIN_CONFIDENCE,
  type NameVerdict,
} from '#contract/trade-language/verdicts.ts'
import { type LookupKind, nounOf } from '#server/features/market/lookups/lookup-kind.ts'

/*
 * Decides what the naming optimizer does with each lookup: keep its name, correct the spelling, merge it into another
 * lookup, or leave the decision to a person.
 */

/** Makers' own spellings that the rules for upper and lower case would get wrong. Catalog names need no entry. */
const OWN_SPELLINGS: Readonly<Record<LookupKind, ReadonlyMap<string, string>>> = {
  category: new Map(),
  manufacturer: bySquashedName([
    ...['AMC', 'BMW', 'BYD', 'DeLorean', 'DeSoto', 'GMC', 'MG', 'MINI', 'RAM', 'SRT', 'Citroën', 'Škoda'],
    ...['Mercedes-Benz', 'Rolls-Royce', 'Harley-Davidson', 'McLaren', 'VinFast'],
  ]),
  car_model: bySquashedName([
    ...['F-100', 'F-150', 'F-250', 'F-350', 'F-450', 'F-550', 'E-150', 'E-250', 'E-350', 'E-450'],
    ...['C-10', 'C-20', 'K-10', 'S-10', 'CR-V', 'HR-V', 'CR-X', 'CR-Z', 'WR-V', 'RAV4', 'C-HR', 'MR2'],
    ...['CX-3', 'CX-5', 'CX-7', 'CX-9', 'CX-30', 'CX-50', 'CX-90', 'MX-3', 'MX-5', 'MX-6', 'RX-7', 'RX-8'],
    ...['CJ-5', 'CJ-7', 'PT Cruiser', 'HHR', 'SSR', 'GTO', 'CTS-V', 'XC60', 'XC70', 'XC90', 'TrailBlazer'],
  ]),
}

/** Abbreviations in part names, which stay in capitals. */
const PART_ABBREVIATIONS: ReadonlySet<string> = new Set([
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

function bySquashedName(names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map((name) => [nameKey(name), name]))
}

const SMALL_WORDS = /^(?:a|an|and|at|for|in|of|on|or|the|to|w|with)$/

/** The proper spelling of a name: single spaces, the maker's own spelling, and title case if it is all in one case. */
export function properName(kind: LookupKind, name: string): string {
  const plain = plainName(name)
  const own = OWN_SPELLINGS[kind].get(nameKey(plain))
  if (own !== undefined) return own
  if (!isOneCase(plain)) return plain
  return plain.replaceAll(/[\p{L}\p{N}]+/gu, (word, at: number) => cased(kind, word, at === 0))
}

/** All capitals or all lower case, so probably typed without care. */
const isOneCase = (name: string) =>
  /\p{L}/u.test(name) && (name === name.toLowerCase() || name === name.toUpperCase())

// Short makes and models in capitals are abbreviations: BMW, MDX.
const MAX_ABBREVIATION = 3

function cased(kind: LookupKind, word: string, isFirst: boolean): string {
  const lower = word.toLowerCase()
  const capitalized = lower.charAt(0).toUpperCase() + lower.slice(1)
  if (/\d/.test(word)) return word.toUpperCase()
  if (!isFirst && SMALL_WORDS.test(lower)) return lower
  if (kind === 'category') return PART_ABBREVIATIONS.has(lower) ? word.toUpperCase() : capitalized
  const isAbbreviation =
    word.length <= MAX_ABBREVIATION && (word === word.toUpperCase() || !/[aeiouy]/.test(lower))
  return isAbbreviation ? word.toUpperCase() : capitalized
}

/** A lookup to review. */
export type NamedRecord = KnownName & {
  /** For a model. */
  readonly manufacturerId: string | null
  readonly manufacturer: string | null
  /** Whether it is in the catalog that comes with the program. */
  readonly isInCatalog: boolean
  /** Its sort key among all reviewed lookups. */
  readonly place: string
}

export type NameAction =
  | { readonly kind: 'keep' }
  | { readonly kind: 'rename'; readonly name: string }
  | {
      readonly kind: 'merge'
      readonly into: { readonly id: string; readonly name: string }
      readonly why: string
    }
  /** A person decides. */
  | { readonly kind: 'ask'; readonly reason: string; readonly candidates: readonly Candidate[] }

/** Matches a provisional name against the confirmed ones, and a confirmed one against the catalog. */
export type MatchRecord = (record: NamedRecord) => NameVerdict

/** `makeWord`: the name of the make that a word means. */
export type Matching = {
  readonly match: MatchRecord
  readonly makeWord: (word: string) => string | undefined
}

/** Plans the actions for the names of one kind. Anything uncertain is left to a person. */
export class NamePlan {
  readonly #kind: LookupKind
  readonly #match: MatchRecord
  readonly #makeWord: (word: string) => string | undefined
  /** Records with equal spellings, the preferred one first. */
  readonly #bySpelling: Map<string, NamedRecord[]>

  constructor(kind: LookupKind, records: readonly NamedRecord[], { match, makeWord }: Matching) {
    this.#kind = kind
    this.#match = match
    this.#makeWord = makeWord
    this.#bySpelling = Map.groupBy(records, spellingOf)
    for (const same of this.#bySpelling.values())
      same.sort((a, b) => rankOf(kind, a) - rankOf(kind, b) || (a.id < b.id ? -1 : 1))
  }

  actionFor(record: NamedRecord): NameAction {
    if (record.isInCatalog) return { kind: 'keep' }
    return (
      this.#spellOut(record) ??
      this.#mergeSpelling(record) ??
      this.#mergeMatch(record) ??
      renameTo(record, properName(this.#kind, record.name))
    )
  }

  /** A make's abbreviation, such as "Chevy". */
  #spellOut(record: NamedRecord): NameAction | undefined {
    const name = this.#kind === 'manufacturer' ? this.#makeWord(record.name) : undefined
    if (name === undefined) return undefined
    const [into] = this.#bySpelling.get(nameKey(name)) ?? []
    return into ? merge(into, 'an abbreviation or nickname') : { kind: 'rename', name }
  }

  /** The same letters and digits as a preferred record. */
  #mergeSpelling(record: NamedRecord): NameAction | undefined {
    const [first] = this.#bySpelling.get(spellingOf(record)) ?? []
    return first && first.id !== record.id ? merge(first, 'the same letters and digits') : undefined
  }

  #mergeMatch(record: NamedRecord): NameAction | undefined {
    const verdict = this.#match(record)
    if (verdict.kind === 'known' && verdict.id !== record.id) {
      if (isCertain(verdict, this.#kind, record.confirmed)) return merge(verdict, MATCH_LABELS[verdict.how])
    }
    // A person added a confirmed name on purpose.
    if (record.confirmed || verdict.kind === 'new') return undefined
    if (verdict.kind === 'unsure') return { ...verdict, kind: 'ask' }
    const { id, name, confidence } = verdict
    if (id === record.id) return undefined
    return {
      kind: 'ask',
      reason: `This could be that ${nounOf(this.#kind)}.`,
      candidates: [{ id, name, confidence }],
    }
  }
}

const renameTo = (record: NamedRecord, name: string): NameAction =>
  name === record.name || name === '' ? { kind: 'keep' } : { kind: 'rename', name }

/** Letters and digits, for models within their manufacturer. Records with the same are duplicates. */
const spellingOf = ({ name, manufacturerId }: NamedRecord): string => {
  const letters = nameKey(name) || lookupKey(name)
  return manufacturerId === null ? letters : `${manufacturerId}/${letters}`
}

/** Which duplicate to keep: catalog before others, then confirmed, then properly spelled. */
const rankOf = (kind: LookupKind, { isInCatalog, confirmed, name }: NamedRecord): number =>
  (isInCatalog ? 0 : 4) + (confirmed ? 0 : 2) + (properName(kind, name) === name ? 0 : 1)

const MATCH_LABELS: Record<MatchMethod, string> = {
  exact: 'the same name',
  alias: 'an alias',
  spelling: 'another spelling',
  abbreviation: 'an abbreviation',
  within: 'extra words',
  similar: 'a typo',
}

const SAFE_METHODS: ReadonlySet<MatchMethod> = new Set(['exact', 'alias', 'spelling', 'abbreviation'])

/**
 * Certain enough to merge, which is harder to undo than a change to one row. Words next to a model may be its trim,
 * and words next to a part its side, so such matches are not merged.
 */
function isCertain({ how, confidence, trim }: KnownVerdict, kind: LookupKind, confirmed: boolean): boolean {
  if (trim !== undefined) return false
  if (SAFE_METHODS.has(how)) return true
  return !confirmed && confidence >= MIN_CONFIDENCE && (how === 'similar' || kind === 'manufacturer')
}

const merge = ({ id, name }: { id: string; name: string }, why: string): NameAction => ({
  kind: 'merge',
  into: { id, name },
  why,
})

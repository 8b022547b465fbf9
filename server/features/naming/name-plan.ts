import { type LookupKind, nounOf } from '#server/features/lookups/lookup-kind.ts'
import { nameKey } from '#server/features/lookups/lookup-names.ts'
import { MAKE_ABBREVIATIONS } from '#server/features/taxonomy/makes.ts'
import { squash } from '#server/features/taxonomy/name-form.ts'
import {
  type Candidate,
  type KnownName,
  LEAST_CONFIDENCE,
  type MatchedHow,
  type NameVerdict,
} from '#server/features/taxonomy/name-verdict.ts'
import { properName } from './proper-name.ts'

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

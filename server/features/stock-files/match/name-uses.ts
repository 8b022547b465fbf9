import type { TaxonomyName, TaxonomyQuestion } from '#contract/admin/taxonomy.ts'
import type { ImportQuestion, NewName } from '#contract/imports.ts'
import { lookupKey, nameKey, splitNames, wordsOf } from '#contract/trade-language/names.ts'
import {
  type Candidate,
  CERTAIN_ANSWER,
  MAX_CANDIDATES,
  matchOf,
  type NameVerdict,
} from '#contract/trade-language/verdicts.ts'
import type { Vocabulary } from '#contract/trade-language/vocabulary.ts'
import type { UnknownNames } from '#server/features/market/lookups/new-names.ts'

/*
 * What a file's names matched, spelling by spelling: the report for administrators, and the questions and new names for
 * the seller.
 */

/** One spelling in a file: what it matched, and in how many rows it occurs. */
export type NameUse = {
  readonly kind: TaxonomyName['kind']
  readonly typed: string
  /** For an unsure category, the type of part, since "Glass" means a different category for each. */
  readonly partType: string
  /** The title of the first part that has it. */
  readonly example: string
  /** A new name that the seller asked for. */
  readonly isWanted: boolean
  /** The seller leaves its parts out. */
  readonly isLeftOut: boolean
  /** For a model: its manufacturer if that is known or new. */
  readonly make: { readonly id: string | null; readonly name: string } | null
  readonly verdict: NameVerdict
  rows: number
  /** Rows with a year in which the model was not built. */
  rowsOutOfYears: number
}

// As many as a person will read; the result counts the rest.
const MAX_REPORTED_NAMES = 500

/** How names matched, most frequent first; without names that were already right. */
export function reportNames(uses: readonly NameUse[]): TaxonomyName[] {
  return uses
    .flatMap((use) => {
      const { verdict, typed, rowsOutOfYears } = use
      if (verdict.kind === 'unsure') return []
      const how = verdict.kind === 'known' ? verdict.how : ('new' as const)
      if (how === 'exact' && verdict.name === typed && rowsOutOfYears === 0) return []
      const confidence = matchOf(verdict)?.confidence ?? null
      return { ...typedName(use), matched: verdict.name, how, confidence, rowsOutOfYears }
    })
    .sort((a, b) => b.rows - a.rows)
    .slice(0, MAX_REPORTED_NAMES)
}

/** The names that need a decision, most frequent first. */
export function reportQuestions(uses: readonly NameUse[]): TaxonomyQuestion[] {
  return uses
    .flatMap((use) => {
      if (use.verdict.kind !== 'unsure') return []
      const { reason, candidates } = use.verdict
      return { ...typedName(use), about: use.partType, reason, candidates: [...candidates] }
    })
    .sort((a, b) => b.rows - a.rows)
    .slice(0, MAX_REPORTED_NAMES)
}

const typedName = ({ kind, typed, make, rows }: NameUse) => ({
  kind,
  typed,
  manufacturerId: make?.id ?? null,
  manufacturer: make?.name ?? null,
  rows,
})

export const isNew = (use: NameUse | undefined): boolean => use?.verdict.kind === 'new' && !use.verdict.family

// A file with more has a wrongly mapped column.
const MAX_SELLER_QUESTIONS = 200

type Matchers = Pick<Vocabulary, 'makes' | 'models'>

/** The questions to answer before the rows with these names go live, most rows first. */
export function sellerQuestions(uses: readonly NameUse[], matchers: Matchers): ImportQuestion[] {
  return questionsOf(
    uses.filter((use) => mustBeAsked(use) && use.rows > 0),
    matchers,
  )
}

/** The names whose parts the seller leaves out, as questions that can be answered otherwise. */
export const leftOutNames = (uses: readonly NameUse[], matchers: Matchers): ImportQuestion[] =>
  questionsOf(
    uses.filter((use) => use.isLeftOut && use.rows > 0),
    matchers,
  )

function questionsOf(open: readonly NameUse[], matchers: Matchers): ImportQuestion[] {
  return summed(
    open.map((use) => questionOf(use, matchers)),
    questionKey,
  ).slice(0, MAX_SELLER_QUESTIONS)
}

/** One answer covers all spellings that differ only in case, spacing, accents and marks. */
const questionKey = ({ kind, typed, about }: ImportQuestion) => [kind, keyOf(typed), keyOf(about)]

/** A model of an unsure or new manufacturer depends on the answer about the manufacturer. */
function mustBeAsked(use: NameUse): boolean {
  if (use.isLeftOut || (use.kind === 'car-model' && use.make?.id === null)) return false
  return use.verdict.kind === 'unsure' || (isNew(use) && !use.isWanted)
}

function questionOf(use: NameUse, matchers: Matchers): ImportQuestion {
  const { kind, typed, make, partType, rows, example } = use
  const choices = choicesOf(use, matchers)
  return {
    kind,
    typed,
    about: kind === 'category' ? partType : (make?.name ?? ''),
    manufacturerId: make?.id ?? null,
    rows,
    example,
    choices: choices
      .slice(0, MAX_CANDIDATES)
      .map(({ id, name, confidence }) => ({ id, name, certainty: confidence })),
    mayBeNew:
      kind !== 'category' &&
      isOneName(use, matchers) &&
      choices.every(({ confidence }) => confidence < CERTAIN_ANSWER),
  }
}

/** Known names that it may be another spelling of, or that it combines. */
function choicesOf({ kind, typed, verdict }: NameUse, { makes, models }: Matchers): readonly Candidate[] {
  if (verdict.kind === 'unsure' && verdict.candidates.length > 0) return verdict.candidates
  if (kind !== 'manufacturer') return []
  const first = makes.atBeginning(wordsOf(typed))?.entry
  const makers = splitNames(typed).flatMap((piece) => models.makersOf(nameKey(piece)))
  const found = new Map([...(first ? [first] : []), ...makers].map((entry) => [entry.id, entry]))
  return [...found.values()].map(({ id, name }) => ({ id, name, confidence: 0.5 }))
}

/** "Outback, Corolla, RAV4" and "Nissan Altima" are not manufacturers and cannot be created. */
function isOneName({ kind, typed }: NameUse, { makes }: Matchers): boolean {
  if (splitNames(typed).length > 1) return false
  return kind !== 'manufacturer' || !makes.atBeginning(wordsOf(typed))
}

/** Manufacturers and models that an import would create, if their seller wants them. Most rows first. */
export function newNames(uses: readonly NameUse[]): NewName[] {
  return uses
    .flatMap((use): NewName[] => {
      const { kind, verdict, make, rows, example } = use
      if (verdict.kind !== 'new' || verdict.family || kind === 'category' || rows === 0) return []
      const name = kind === 'car-model' ? `${make?.name ?? ''} ${verdict.name}`.trim() : verdict.name
      return [{ kind: kind === 'car-model' ? 'model' : 'manufacturer', name, rows, example }]
    })
    .sort((a, b) => b.rows - a.rows)
    .slice(0, MAX_REPORTED_NAMES)
}

/** The names of a file for its seller, from the part read so far. */
export type FileNames = {
  /** Rows that wait for an answer. */
  readonly held: number
  readonly questions: readonly ImportQuestion[]
  readonly newNames: readonly NewName[]
  /** Names whose parts the seller leaves out. Chunks of an earlier version lack them. */
  readonly leftOut?: readonly ImportQuestion[]
}

/** The names of a whole file, merged from its chunks in order. */
export function joinNames(chunks: readonly FileNames[]): Required<FileNames> {
  return {
    held: chunks.reduce((sum, { held }) => sum + held, 0),
    questions: summed(
      chunks.flatMap(({ questions }) => questions),
      questionKey,
    ),
    leftOut: summed(
      chunks.flatMap(({ leftOut = [] }) => leftOut),
      questionKey,
    ),
    newNames: summed(
      chunks.flatMap(({ newNames }) => newNames),
      ({ kind, name }) => [kind, name],
    ),
  }
}

/** Combines equal entries and adds up their rows, most rows first. */
function summed<T extends { readonly rows: number }>(
  all: readonly T[],
  keyOf: (each: T) => readonly string[],
): T[] {
  const sums = new Map<string, T>()
  for (const each of all) {
    const key = JSON.stringify(keyOf(each))
    const before = sums.get(key)
    sums.set(key, before ? { ...before, rows: before.rows + each.rows } : each)
  }
  return [...sums.values()].sort((a, b) => b.rows - a.rows).slice(0, MAX_REPORTED_NAMES)
}

// With more new names than this, a column contains something else.
const MAX_NEW_NAMES = 10_000

type NewModel = { readonly manufacturer: string; readonly model: string; readonly isFamily: boolean }

/** The new names of a file. Spellings with the same letters and digits are one name, spelled as in the first row. */
export class NewNameBook {
  readonly #categories = new Map<string, string>()
  readonly #manufacturers = new Map<string, string>()
  readonly #models = new Map<string, NewModel>()

  category(name: string): string {
    return firstSpelling(this.#categories, keyOf(name), name)
  }

  manufacturer(name: string): string {
    return firstSpelling(this.#manufacturers, keyOf(name), name)
  }

  model(manufacturer: string, model: string, isFamily: boolean): string {
    const key = `${nameKey(manufacturer)}\n${keyOf(model)}`
    return firstSpelling(this.#models, key, { manufacturer, model, isFamily }).model
  }

  /** Without families, since their models are in the catalog. */
  get count(): number {
    const models = [...this.#models.values()].filter(({ isFamily }) => !isFamily)
    return this.#categories.size + this.#manufacturers.size + models.length
  }

  /** The names to create. `onlyFamilies`: those that need no review. */
  names({ onlyFamilies }: { onlyFamilies: boolean }): UnknownNames {
    const models = [...this.#models.values()]
    if (onlyFamilies) {
      return { categories: [], manufacturers: [], models: models.filter(({ isFamily }) => isFamily) }
    }
    return {
      categories: [...this.#categories.values()],
      manufacturers: [...this.#manufacturers.values()],
      models,
    }
  }
}

// A name without Latin letters or digits is compared by its own characters.
const keyOf = (name: string) => nameKey(name) || lookupKey(name)

function firstSpelling<T>(names: Map<string, T>, key: string, name: T): T {
  const before = names.get(key)
  if (before !== undefined) return before
  if (names.size < MAX_NEW_NAMES) names.set(key, name)
  return name
}

import { LONGEST_LOOKUP_NAME } from '#contract/listing/listing-rules.ts'
import { readYearSpan, type YearSpan, yearSpanText } from '#contract/listing/year-span.ts'
import type { TaxonomyName, TaxonomyQuestion } from '#contract/taxonomy.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import { readLookupVersion } from '#server/features/lookups/lookup-changes.ts'
import { nameKey, plainName } from '#server/features/lookups/lookup-names.ts'
import type { UnknownNames } from '#server/features/lookups/new-names.ts'
import type { Db } from '#server/platform/database/database.ts'
import { CategoryMatcher } from './category-matcher.ts'
import { ManufacturerMatcher } from './manufacturer-matcher.ts'
import { ModelMatcher } from './model-matcher.ts'
import { squash } from './name-form.ts'
import {
  confidenceOf,
  known,
  MIN_CONFIDENCE,
  matchOf,
  type NameVerdict,
  unsure,
  wasBuiltIn,
} from './name-verdict.ts'
import { loadTaxonomyNames, type TaxonomyNames } from './taxonomy-queries.ts'

/*
 * Resolves the category, manufacturer and model of rows, one by one, and counts what it found: names that matched, new
 * names, and names a person has to decide. It writes nothing.
 */

export type TaxonomyMatchers = {
  readonly categories: CategoryMatcher
  readonly manufacturers: ManufacturerMatcher
  readonly models: ModelMatcher
}

/** Takes about 30 ms for the names of a full catalog. */
export function taxonomyMatchers(names: TaxonomyNames): TaxonomyMatchers {
  const manufacturers = new ManufacturerMatcher(names.manufacturers)
  return {
    categories: new CategoryMatcher(names.categories),
    manufacturers,
    models: new ModelMatcher(manufacturers, names.manufacturers, names.models),
  }
}

// A column with more new names contains something else.
const MAX_NEW_NAMES = 10_000

type NewModel = { readonly manufacturer: string; readonly model: string; readonly isFamily: boolean }

/** The new names of a file. Spellings with the same letters and digits are one name, spelled as in the first row. */
class NewNameBook {
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
const keyOf = (name: string) => squash(name) || nameKey(name)

function firstSpelling<T>(names: Map<string, T>, key: string, name: T): T {
  const before = names.get(key)
  if (before !== undefined) return before
  if (names.size < MAX_NEW_NAMES) names.set(key, name)
  return name
}

/** One spelling in a file: what it matched, and in how many rows it occurs. */
type NameUse = {
  readonly kind: TaxonomyName['kind']
  readonly typed: string
  /** For a model: its manufacturer if that is known or new. */
  readonly make: { readonly id: string | null; readonly name: string } | null
  readonly verdict: NameVerdict
  rows: number
  /** Rows with a year in which the model was not built. */
  rowsOutOfYears: number
}

// As many as a person reads; the result counts the others.
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
      return { ...typedName(use), reason, candidates: [...candidates] }
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

/** The model is undefined if its cell is empty or its manufacturer is unsure. */
type VehicleVerdict = {
  readonly manufacturer: NameVerdict | undefined
  readonly model: NameVerdict | undefined
}

// "Camry" alone is a Toyota, but an "M" or a "90" could be any make's.
const MIN_LETTERS_OF_A_MODEL = 5

/** Matches both columns together, since either may contain what belongs in the other. Ignores the year (see `inYear`). */
function matchVehicle(matchers: TaxonomyMatchers, manu: string, model: string): VehicleVerdict {
  const { manufacturers, models } = matchers
  const manufacturer = manu === '' ? undefined : manufacturers.match(manu)
  if (manufacturer?.kind === 'known') {
    return { manufacturer, model: model === '' ? undefined : models.match(manufacturer.id, model) }
  }
  if (manufacturer?.kind === 'new') {
    return (
      splitManufacturer(matchers, manu, model) ?? {
        manufacturer,
        model: model === '' ? undefined : { kind: 'new', name: model },
      }
    )
  }
  const candidates = manufacturer?.candidates ?? []
  return (
    candidateWithModel(matchers, candidates, model) ??
    splitManufacturer(matchers, manu, model) ??
    (candidates.length === 0 ? manufacturerOfModel(matchers, model) : undefined) ?? {
      manufacturer,
      model: undefined,
    }
  )
}

/** "Merc" with a Grand Marquis is a Mercury, with a C300 a Mercedes. */
function candidateWithModel(
  { models }: TaxonomyMatchers,
  candidates: readonly { id: string; name: string }[],
  typedModel: string,
): VehicleVerdict | undefined {
  if (typedModel === '') return undefined
  const fitting = candidates
    .map((make) => ({ make, model: models.match(make.id, typedModel) }))
    .filter(({ model }) => isCertain(model))
  const [only, ...others] = fitting
  if (!only || others.length > 0) return undefined
  return { manufacturer: known(only.make, 'within'), model: only.model }
}

/** "Mini Cooper" or "Dodge Ram" in the manufacturer column. */
function splitManufacturer(
  { models }: TaxonomyMatchers,
  manu: string,
  model: string,
): VehicleVerdict | undefined {
  const split = models.splitMake(manu)
  if (!split) return undefined
  const texts = [`${split.rest} ${model}`.trim(), ...(model === '' ? [] : [model]), split.rest]
  const found = texts.map((text) => models.match(split.make.id, text)).find(isCertain)
  return found && { manufacturer: known(split.make, 'within'), model: found }
}

/** Without a manufacturer: from the model column, or from a model that only one manufacturer has. */
function manufacturerOfModel({ models }: TaxonomyMatchers, model: string): VehicleVerdict | undefined {
  const split = models.splitMake(model)
  const found = split && models.match(split.make.id, split.rest)
  if (split && isCertain(found)) return { manufacturer: known(split.make, 'within'), model: found }
  if (model.replaceAll(/[^a-z]/gi, '').length < MIN_LETTERS_OF_A_MODEL) return undefined
  const [only, ...others] = models.makersOf(model)
  if (!only || others.length > 0) return undefined
  return { manufacturer: known(only, 'within'), model: models.match(only.id, model) }
}

/** Whether it is a model or family of the catalog. */
function isCertain(verdict: NameVerdict | undefined): boolean {
  if (verdict?.kind === 'known') return verdict.confidence >= MIN_CONFIDENCE
  return verdict?.kind === 'new' && verdict.family !== undefined
}

/** A typo match is unsure if the model was not built in the row's years. */
function inYear(model: NameVerdict, span: YearSpan | undefined): NameVerdict {
  const match = matchOf(model)
  if (model.kind === 'unsure' || match?.how !== 'similar' || wasBuiltIn(match.years, span)) return model
  const candidates =
    model.kind === 'known' ? [{ id: model.id, name: model.name, confidence: confidenceOf('similar', 4) }] : []
  return unsure(`${model.name} was not built in ${span ? yearSpanText(span) : ''}.`, candidates)
}

type VehicleUse = {
  manufacturer: NameUse | undefined
  model: NameUse | undefined
  /** The model in rows of other years, if that makes it unsure. */
  otherYears: NameUse | undefined
}

/** The fields that names are resolved from. */
export const nameFields = [
  'partcategory',
  'partmanu',
  'partmodel',
  'parttrim',
  'bodystyle',
  'partyear',
] as const

/** Reads a field of a row. Called only for the fields that are needed, since reading the trim is slow. */
export type ReadField = (field: (typeof nameFields)[number]) => JsonValue | undefined
export type NameChanges = Readonly<Record<string, string>>

// Limits the memory for a file of a million rows.
const MAX_REMEMBERED = 20_000

/** Resolves each spelling once, and counts the results. */
export class RowResolver {
  readonly #matchers: TaxonomyMatchers
  readonly #categories = new Map<string, NameUse>()
  readonly #vehicles = new Map<string, VehicleUse>()
  readonly #uses = new Map<string, NameUse>()
  readonly #replaced = new Set<NameUse>()
  readonly newNames = new NewNameBook()
  readonly columns = new Set<string>()
  rows = 0
  rowsWithNewNames = 0
  rowsChanged = 0
  cellsChanged = 0

  constructor(matchers: TaxonomyMatchers) {
    this.#matchers = matchers
  }

  get uses(): NameUse[] {
    return [...this.#uses.values()]
  }

  /** How many different spellings were replaced. */
  get spellingsReplaced(): number {
    return this.#replaced.size
  }

  /** The fields to change, with their new values; undefined if nothing changes. */
  resolve(read: ReadField): NameChanges | undefined {
    this.rows += 1
    const partcategory = this.#category(nameIn(read('partcategory')))
    const { manufacturer: partmanu, model: partmodel } = this.#vehicle(read)
    const uses = { partcategory, partmanu, partmodel }
    if (Object.values(uses).some(isNew)) this.rowsWithNewNames += 1
    const changes: Record<string, string> = {}
    for (const field of ['partcategory', 'partmanu', 'partmodel'] as const) {
      const use = uses[field]
      if (!use || use.verdict.kind === 'unsure' || use.verdict.name === read(field)) continue
      changes[field] = use.verdict.name
      this.#replaced.add(use)
      if (field !== 'partmodel') continue
      const { trim, bodyStyle } = use.verdict
      if (trim !== undefined && nameIn(read('parttrim')) === '') changes.parttrim = trim
      if (bodyStyle !== undefined && nameIn(read('bodystyle')) === '') changes.bodystyle = bodyStyle
    }
    const changed = Object.keys(changes)
    if (changed.length === 0) return undefined
    this.rowsChanged += 1
    this.cellsChanged += changed.length
    for (const field of changed) this.columns.add(field)
    return changes
  }

  #category(typed: string): NameUse | undefined {
    if (typed === '') return undefined
    let use = this.#categories.get(typed)
    if (!use) {
      const found = this.#matchers.categories.match(typed)
      const verdict = found.kind === 'new' ? { ...found, name: this.newNames.category(found.name) } : found
      use = this.#use({ kind: 'category', typed, make: null, verdict })
      remember(this.#categories, typed, use)
    }
    use.rows += 1
    return use
  }

  #vehicle(read: ReadField): Pick<VehicleUse, 'manufacturer' | 'model'> {
    const [manu, model] = [nameIn(read('partmanu')), nameIn(read('partmodel'))]
    const key = `${manu}\n${model}`
    let vehicle = this.#vehicles.get(key)
    if (!vehicle) {
      vehicle = this.#matchVehicle(manu, model)
      remember(this.#vehicles, key, vehicle)
    }
    if (vehicle.manufacturer) vehicle.manufacturer.rows += 1
    if (!vehicle.model) return vehicle
    const use = this.#inYear(vehicle, vehicle.model, yearsIn(read('partyear')))
    use.rows += 1
    return { manufacturer: vehicle.manufacturer, model: use }
  }

  #inYear(vehicle: VehicleUse, model: NameUse, years: YearSpan | undefined): NameUse {
    if (wasBuiltIn(matchOf(model.verdict)?.years, years)) return model
    const verdict = inYear(model.verdict, years)
    if (verdict === model.verdict) {
      model.rowsOutOfYears += 1
      return model
    }
    vehicle.otherYears ??= this.#use({ ...model, verdict })
    return vehicle.otherYears
  }

  #matchVehicle(typedMake: string, typedModel: string): VehicleUse {
    const found = matchVehicle(this.#matchers, typedMake, typedModel)
    const manufacturer = found.manufacturer && this.#manufacturer(typedMake, found.manufacturer)
    const make = manufacturer && makeOf(manufacturer.verdict)
    if (!found.model || !make) return { manufacturer, model: undefined, otherYears: undefined }
    const verdict = found.model.kind === 'new' ? this.#newModel(make.name, found.model) : found.model
    const model = this.#use({ kind: 'car-model', typed: typedModel, make, verdict })
    return { manufacturer, model, otherYears: undefined }
  }

  #manufacturer(typed: string, found: NameVerdict): NameUse {
    const verdict = found.kind === 'new' ? { ...found, name: this.newNames.manufacturer(found.name) } : found
    return this.#use({ kind: 'manufacturer', typed, make: null, verdict })
  }

  #newModel(make: string, found: NameVerdict & { kind: 'new' }): NameVerdict {
    const name = plainName(found.name)
    return { ...found, name: this.newNames.model(make, name, found.family !== undefined) }
  }

  /** The same spelling with the same match is counted as one. */
  #use(use: Pick<NameUse, 'kind' | 'typed' | 'make' | 'verdict'>): NameUse {
    const matched = use.verdict.kind === 'unsure' ? '' : use.verdict.name
    const key = JSON.stringify([use.kind, use.make?.name, use.typed, use.verdict.kind, matched])
    const before = this.#uses.get(key)
    if (before) return before
    const added = { ...use, rows: 0, rowsOutOfYears: 0 }
    if (this.#uses.size < MAX_REMEMBERED) this.#uses.set(key, added)
    return added
  }
}

const textIn = (value: JsonValue | undefined): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''

/** The name in a field; '' if it is too long for a name. */
function nameIn(value: JsonValue | undefined): string {
  const text = textIn(value)
  return text.length > LONGEST_LOOKUP_NAME ? '' : text
}

function yearsIn(value: JsonValue | undefined): YearSpan | undefined {
  const text = textIn(value)
  const year = Number.parseInt(text, 10)
  return readYearSpan(text) ?? (Number.isNaN(year) ? undefined : { from: year, to: year })
}

const isNew = (use: NameUse | undefined) => use?.verdict.kind === 'new' && !use.verdict.family

const makeOf = (verdict: NameVerdict): NameUse['make'] =>
  verdict.kind === 'unsure' ? null : { id: verdict.kind === 'known' ? verdict.id : null, name: verdict.name }

function remember<T>(cache: Map<string, T>, key: string, value: T): void {
  if (cache.size >= MAX_REMEMBERED) cache.clear()
  cache.set(key, value)
}

// A file comes in hundreds of chunks, and reading all lookups takes longer than resolving the names of one chunk.
const cachedMatchers = new WeakMap<Db, { version: number; matchers: Promise<TaxonomyMatchers> }>()

/** A resolver with the current lookups, the same that a staged file's names are resolved with. */
export async function openNameResolver(db: Db): Promise<RowResolver> {
  const version = await readLookupVersion(db)
  let current = cachedMatchers.get(db)
  if (current?.version !== version) {
    current = { version, matchers: loadTaxonomyNames(db).then(taxonomyMatchers) }
    current.matchers.catch(() => cachedMatchers.delete(db))
    cachedMatchers.set(db, current)
  }
  return new RowResolver(await current.matchers)
}

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
  LEAST_CONFIDENCE,
  matchOf,
  type NameVerdict,
  unsure,
  wasBuiltIn,
} from './name-verdict.ts'
import { loadTaxonomyNames, type TaxonomyNames } from './taxonomy-queries.ts'

export type TaxonomyMatchers = {
  readonly categories: CategoryMatcher
  readonly manufacturers: ManufacturerMatcher
  readonly models: ModelMatcher
}

/** Takes some 30 ms for the names of a full catalogue. */
export function taxonomyMatchers(names: TaxonomyNames): TaxonomyMatchers {
  const manufacturers = new ManufacturerMatcher(names.manufacturers)
  return {
    categories: new CategoryMatcher(names.categories),
    manufacturers,
    models: new ModelMatcher(manufacturers, names.manufacturers, names.models),
  }
}

// A file with more has something else in that column than names.
const MOST_NAMES = 10_000

/** A manufacturer that a new model belongs to: its name, whether it is known or new itself. */
type NewModel = { readonly manufacturer: string; readonly model: string; readonly isFamily: boolean }

/** The new names of a file, each once however it is written: the first spelling counts for all. */
class NewNameBook {
  readonly #categories = new Map<string, string>()
  readonly #manufacturers = new Map<string, string>()
  readonly #models = new Map<string, NewModel>()

  category(name: string): string {
    return remember(this.#categories, keyOf(name), name)
  }

  manufacturer(name: string): string {
    return remember(this.#manufacturers, keyOf(name), name)
  }

  model(manufacturer: string, model: string, isFamily: boolean): string {
    const key = `${nameKey(manufacturer)}\n${keyOf(model)}`
    return remember(this.#models, key, { manufacturer, model, isFamily }).model
  }

  /** How many names are new; those that models of the catalogue share are known well enough. */
  get count(): number {
    const models = [...this.#models.values()].filter(({ isFamily }) => !isFamily)
    return this.#categories.size + this.#manufacturers.size + models.length
  }

  /** Everything that has to be made; with `onlyFamilies` what no rule about new names stops. */
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

// What has neither Latin letters nor digits is compared as it stands.
const keyOf = (name: string) => squash(name) || nameKey(name)

function remember<T>(names: Map<string, T>, key: string, name: T): T {
  const before = names.get(key)
  if (before !== undefined) return before
  if (names.size < MOST_NAMES) names.set(key, name)
  return name
}

/** One spelling of a file: what it was taken for, and on how many rows. */
type NameUse = {
  readonly kind: TaxonomyName['kind']
  readonly typed: string
  /** Of a model: its manufacturer, where that is known or new. */
  readonly make: { readonly id: string | null; readonly name: string } | null
  readonly verdict: NameVerdict
  rows: number
  /** Rows of a year in which the model was not built. */
  rowsOutOfYears: number
}

// What a person reads through; the file's other names are counted.
const MOST_NAMES_TOLD = 500

/** How names were understood, those on most rows first; names that stand as they should are left out. */
export function namesTold(uses: readonly NameUse[]): TaxonomyName[] {
  return uses
    .filter((use) => use.verdict.kind !== 'unsure' && (!isAsItShould(use) || use.rowsOutOfYears > 0))
    .sort((a, b) => b.rows - a.rows)
    .slice(0, MOST_NAMES_TOLD)
    .map(toName)
}

export function questionsTold(uses: readonly NameUse[]): TaxonomyQuestion[] {
  return uses
    .flatMap((use) => (use.verdict.kind === 'unsure' ? { ...base(use), ...whatIsOpen(use.verdict) } : []))
    .sort((a, b) => b.rows - a.rows)
    .slice(0, MOST_NAMES_TOLD)
}

const isAsItShould = ({ verdict, typed }: NameUse) =>
  verdict.kind === 'known' && verdict.how === 'exact' && verdict.name === typed

const base = ({ kind, typed, make, rows }: NameUse) => ({
  kind,
  typed,
  manufacturerId: make?.id ?? null,
  manufacturer: make?.name ?? null,
  rows,
})

const whatIsOpen = ({ reason, candidates }: NameVerdict & { kind: 'unsure' }) => ({
  reason,
  candidates: [...candidates],
})

function toName(use: NameUse): TaxonomyName {
  const { verdict, rowsOutOfYears } = use
  return {
    ...base(use),
    matched: verdict.kind === 'unsure' ? null : verdict.name,
    how: verdict.kind === 'known' ? verdict.how : 'new',
    confidence: matchOf(verdict)?.confidence ?? null,
    rowsOutOfYears,
  }
}

/** What manufacturer and model of a row mean. The model is undefined where that cannot be asked yet, or nothing stands there. */
export type VehicleVerdict = {
  readonly manufacturer: NameVerdict | undefined
  readonly model: NameVerdict | undefined
}

// "Camry" alone is a Toyota, but an "M" or a "90" could be anybody's.
const LEAST_LETTERS_OF_A_MODEL = 5

/** Reads both columns together: either may hold what belongs into the other. Without the year, which `inYear` looks at. */
function matchVehicle(matchers: TaxonomyMatchers, manu: string, model: string): VehicleVerdict {
  const manufacturer = manu === '' ? undefined : matchers.manufacturers.match(manu)
  if (manufacturer?.kind === 'known') {
    return { manufacturer, model: model === '' ? undefined : matchers.models.match(manufacturer.id, model) }
  }
  if (manufacturer?.kind === 'new') {
    const asNew: VehicleVerdict = {
      manufacturer,
      model: model === '' ? undefined : { kind: 'new', name: model },
    }
    return withModelBeside(matchers, manu, model) ?? asNew
  }
  const found =
    oneOfSeveral(matchers, manufacturer, model) ??
    withModelBeside(matchers, manu, model) ??
    (manufacturer === undefined || manufacturer.candidates.length === 0
      ? fromModel(matchers, model)
      : undefined)
  return found ?? { manufacturer, model: undefined }
}

/** "Merc" with a Grand Marquis is a Mercury, with a C300 a Mercedes. */
function oneOfSeveral(
  { models }: TaxonomyMatchers,
  manufacturer: (NameVerdict & { kind: 'unsure' }) | undefined,
  model: string,
): VehicleVerdict | undefined {
  if (!manufacturer || model === '') return undefined
  const fitting = manufacturer.candidates
    .map((make) => ({ make, model: models.match(make.id, model) }))
    .filter((pair) => isCertain(pair.model))
  const [only, ...others] = fitting
  return only && others.length === 0
    ? { manufacturer: known(only.make, 'within'), model: only.model }
    : undefined
}

/** "Mini Cooper" or "Dodge Ram" in the column of manufacturers. */
function withModelBeside(
  { models }: TaxonomyMatchers,
  manu: string,
  model: string,
): VehicleVerdict | undefined {
  const split = models.splitMake(manu)
  if (!split) return undefined
  const together = [`${split.rest} ${model}`.trim(), ...(model === '' ? [] : [model]), split.rest]
  const readings = together.map((text) => models.match(split.make.id, text))
  const found = readings.find(isCertain)
  return found && { manufacturer: known(split.make, 'within'), model: found }
}

/** A manufacturer that nobody named, known by the model. */
function fromModel({ models }: TaxonomyMatchers, model: string): VehicleVerdict | undefined {
  const split = models.splitMake(model)
  const found = split && models.match(split.make.id, split.rest)
  if (split && isCertain(found)) return { manufacturer: known(split.make, 'within'), model: found }
  const [only, ...others] =
    model.replaceAll(/[^a-z]/gi, '').length < LEAST_LETTERS_OF_A_MODEL ? [] : models.makersOf(model)
  return only && others.length === 0
    ? { manufacturer: known(only, 'within'), model: models.match(only.id, model) }
    : undefined
}

/** A model of the catalogue, or what several of them share. */
function isCertain(verdict: NameVerdict | undefined): verdict is NameVerdict {
  if (verdict?.kind === 'known') return verdict.confidence >= LEAST_CONFIDENCE
  return verdict?.kind === 'new' && verdict.family !== undefined
}

/** A mistyped name of a model that was not built in any of these years is no match by itself. */
function inYear(model: NameVerdict, span: YearSpan | undefined): NameVerdict {
  const match = matchOf(model)
  if (match?.how !== 'similar' || wasBuiltIn(match.years, span)) return model
  const candidates =
    model.kind === 'known' ? [{ id: model.id, name: model.name, confidence: confidenceOf('similar', 4) }] : []
  const years = span ? yearSpanText(span) : ''
  return unsure(`${model.kind === 'unsure' ? '' : model.name} was not built in ${years}.`, candidates)
}

type VehicleUse = {
  manufacturer: NameUse | undefined
  model: NameUse | undefined
  /** The model in a year in which it was not built, where that makes another case of it. */
  otherYears: NameUse | undefined
}

/** The fields that names are resolved from. */
export const namedFields = ['partcategory', 'partmanu', 'partmodel', 'parttrim', 'partyear'] as const

/** Their values in a row; its other fields are of no account. */
export type RowNames = Readonly<Partial<Record<(typeof namedFields)[number], JsonValue | undefined>>>
export type NameChanges = Readonly<Record<string, string>>

// Spellings that are remembered, in a file of a million rows as well.
const MOST_REMEMBERED = 20_000

/** Resolves the names of rows, each spelling once. Keeps account of what it did. */
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

  /** Different spellings that were replaced. */
  get spellingsReplaced(): number {
    return this.#replaced.size
  }

  /** The fields that should be otherwise, with what they should be; undefined where all are so already. */
  resolve(fields: RowNames): NameChanges | undefined {
    this.rows += 1
    const category = this.#category(nameIn(fields.partcategory))
    const { manufacturer, model } = this.#vehicle(fields)
    if (isNew(category) || isNew(manufacturer) || isNew(model)) this.rowsWithNewNames += 1
    const changes: Record<string, string> = {}
    this.#change(changes, fields, { field: 'partcategory', use: category })
    this.#change(changes, fields, { field: 'partmanu', use: manufacturer })
    this.#change(changes, fields, { field: 'partmodel', use: model })
    const trim = model?.verdict.kind === 'unsure' ? undefined : model?.verdict.trim
    if (trim !== undefined && 'partmodel' in changes && nameIn(fields.parttrim) === '')
      changes.parttrim = trim
    const changed = Object.keys(changes)
    if (changed.length === 0) return undefined
    this.rowsChanged += 1
    this.cellsChanged += changed.length
    for (const field of changed) this.columns.add(field)
    return changes
  }

  #change(
    changes: Record<string, string>,
    fields: RowNames,
    { field, use }: { field: 'partcategory' | 'partmanu' | 'partmodel'; use: NameUse | undefined },
  ): void {
    if (!use || use.verdict.kind === 'unsure' || use.verdict.name === fields[field]) return
    changes[field] = use.verdict.name
    this.#replaced.add(use)
  }

  #category(typed: string): NameUse | undefined {
    if (typed === '') return undefined
    let use = this.#categories.get(typed)
    if (!use) {
      const found = this.#matchers.categories.match(typed)
      const verdict = found.kind === 'new' ? { ...found, name: this.newNames.category(found.name) } : found
      use = this.#use({ kind: 'category', typed, make: null, verdict })
      makeRoom(this.#categories).set(typed, use)
    }
    use.rows += 1
    return use
  }

  #vehicle(fields: RowNames): Pick<VehicleUse, 'manufacturer' | 'model'> {
    const [manu, model] = [nameIn(fields.partmanu), nameIn(fields.partmodel)]
    const key = `${manu}\n${model}`
    let vehicle = this.#vehicles.get(key)
    if (!vehicle) {
      vehicle = this.#newVehicle(manu, model)
      makeRoom(this.#vehicles).set(key, vehicle)
    }
    if (vehicle.manufacturer) vehicle.manufacturer.rows += 1
    if (!vehicle.model) return vehicle
    const use = this.#inYear(vehicle, vehicle.model, yearsIn(fields.partyear))
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

  #newVehicle(manu: string, typedModel: string): VehicleUse {
    const found = matchVehicle(this.#matchers, manu, typedModel)
    const manufacturer = found.manufacturer && this.#manufacturer(manu, found.manufacturer)
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

  /** The same spelling with the same meaning is one use. */
  #use(use: Pick<NameUse, 'kind' | 'typed' | 'make' | 'verdict'>): NameUse {
    const meaning = use.verdict.kind === 'unsure' ? '' : use.verdict.name
    const key = JSON.stringify([use.kind, use.make?.name, use.typed, use.verdict.kind, meaning])
    const before = this.#uses.get(key)
    if (before) return before
    const made = { ...use, rows: 0, rowsOutOfYears: 0 }
    if (this.#uses.size < MOST_REMEMBERED) this.#uses.set(key, made)
    return made
  }
}

/** The text of a field; what is too long for a name, or none at all, is left alone. */
function nameIn(value: JsonValue | undefined): string {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text.length > LONGEST_LOOKUP_NAME ? '' : text
}

function yearsIn(value: JsonValue | undefined): YearSpan | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  const year = Number.parseInt(text, 10)
  return readYearSpan(text) ?? (Number.isNaN(year) ? undefined : { from: year, to: year })
}

const isNew = (use: NameUse | undefined) => use?.verdict.kind === 'new' && !use.verdict.family

const makeOf = (verdict: NameVerdict): NameUse['make'] =>
  verdict.kind === 'unsure' ? null : { id: verdict.kind === 'known' ? verdict.id : null, name: verdict.name }

function makeRoom<T>(memo: Map<string, T>): Map<string, T> {
  if (memo.size >= MOST_REMEMBERED) memo.clear()
  return memo
}

type Known = { readonly version: number; readonly matchers: Promise<TaxonomyMatchers> }

// A file comes in hundreds of chunks, and reading all lookups takes longer than resolving the names of one.
const openNameResolverKnown = new WeakMap<Db, Known>()

/** What resolves names as the taxonomy of a file does, by the lookups as they stand; it writes nothing. */
export async function openNameResolver(db: Db): Promise<RowResolver> {
  const version = await readLookupVersion(db)
  let current = openNameResolverKnown.get(db)
  if (current?.version !== version) {
    current = { version, matchers: loadTaxonomyNames(db).then(taxonomyMatchers) }
    current.matchers.catch(() => openNameResolverKnown.delete(db))
    openNameResolverKnown.set(db, current)
  }
  return new RowResolver(await current.matchers)
}

import { LONGEST_LOOKUP_NAME } from '#contract/listing-rules.ts'
import { readYearSpan, type YearSpan } from '#contract/year-span.ts'
import type { JsonValue } from '#db/schema.gen.ts'
import { plainName } from '#server/features/lookups/lookup-names.ts'
import type { NameUse } from './name-uses.ts'
import { matchOf, type NameVerdict, wasBuiltIn } from './name-verdict.ts'
import { NewNameBook } from './new-name-book.ts'
import type { TaxonomyMatchers } from './taxonomy-matchers.ts'
import { inYear, matchVehicle } from './vehicle-verdict.ts'

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

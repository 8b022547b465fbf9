import type { LookupKind } from '#server/features/lookups/lookup-kind.ts'
import { nameKey } from '#server/features/lookups/lookup-names.ts'
import type { KnownModel, KnownName, NameVerdict } from '#server/features/taxonomy/name-verdict.ts'
import { loadTaxonomyNames, type TaxonomyNames } from '#server/features/taxonomy/queries.ts'
import { type TaxonomyMatchers, taxonomyMatchers } from '#server/features/taxonomy/taxonomy-matchers.ts'
import type { Db } from '#server/platform/database.ts'
import { type CatalogueNames, catalogueNames } from './catalogue-names.ts'
import type { Meaning, NamedRecord } from './name-plan.ts'

/** All names as they stand, in the order in which they are looked at, and what each may mean. */
export type NameBook = {
  readonly records: Readonly<Record<LookupKind, readonly NamedRecord[]>>
  readonly meaning: Readonly<Record<LookupKind, Meaning>>
}

/** Manufacturers come first: models follow theirs. */
export const KINDS_IN_ORDER = [
  'manufacturer',
  'car_model',
  'category',
] as const satisfies readonly LookupKind[]

/** Reads all lookups: some 40 ms with the names of a full catalogue, as much again for every ten thousand more. */
export async function loadNameBook(db: Db): Promise<NameBook> {
  const names = await loadTaxonomyNames(db)
  const catalogue = catalogueNames()
  const makes = new Map(names.manufacturers.map(({ id, name }) => [id, name]))
  const records = (kind: LookupKind, entries: readonly (KnownName | KnownModel)[]) =>
    entries
      .map((entry) => {
        const manufacturerId = 'manufacturerId' in entry ? entry.manufacturerId : null
        const manufacturer = manufacturerId === null ? null : (makes.get(manufacturerId) ?? '')
        return toRecord(entry, { kind, manufacturerId, manufacturer, catalogue })
      })
      .sort((a, b) => (a.place < b.place ? -1 : 1))
  const all = {
    manufacturer: records('manufacturer', names.manufacturers),
    car_model: records('car_model', names.models),
    category: records('category', names.categories),
  }
  return { records: all, meaning: meanings(names, all) }
}

type Around = Pick<NamedRecord, 'manufacturerId' | 'manufacturer'> & {
  kind: LookupKind
  catalogue: CatalogueNames
}

function toRecord(entry: KnownName, { kind, manufacturerId, manufacturer, catalogue }: Around): NamedRecord {
  const order = [KINDS_IN_ORDER.indexOf(kind), nameKey(manufacturer ?? ''), nameKey(entry.name), entry.id]
  const isOfCatalogue = entry.confirmed && catalogue.has(kind, entry.name, manufacturer)
  return { ...entry, manufacturerId, manufacturer, isOfCatalogue, place: order.join('\n') }
}

/** A provisional name is held against all confirmed ones, a confirmed one against the catalogue: never against itself. */
function meanings(names: TaxonomyNames, all: NameBook['records']): NameBook['meaning'] {
  const catalogueIds = new Set(
    KINDS_IN_ORDER.flatMap((kind) => all[kind].filter((each) => each.isOfCatalogue).map(({ id }) => id)),
  )
  const confirmed = matchersOf(names, (name) => name.confirmed)
  const catalogue = matchersOf(names, ({ id }) => catalogueIds.has(id))
  const ask =
    (match: (matchers: TaxonomyMatchers, record: NamedRecord) => NameVerdict): Meaning =>
    (record) =>
      match(record.confirmed ? catalogue : confirmed, record)
  return {
    manufacturer: ask(({ manufacturers }, { name }) => manufacturers.match(name)),
    car_model: ask(({ models }, { name, manufacturerId }) => models.match(manufacturerId ?? '', name)),
    category: ask(({ categories }, { name }) => categories.match(name)),
  }
}

function matchersOf(names: TaxonomyNames, isAmong: (name: KnownName) => boolean): TaxonomyMatchers {
  return taxonomyMatchers({
    categories: names.categories.filter(isAmong),
    manufacturers: names.manufacturers.filter(isAmong),
    models: names.models.filter(isAmong),
  })
}

import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import type { LookupKind } from '#server/features/lookups/lookup-kind.ts'
import { nameKey } from '#server/features/lookups/lookup-names.ts'

export type CatalogueNames = { has(kind: LookupKind, name: string, manufacturer: string | null): boolean }

/** The names that come with the program, in any case and spacing. */
export function catalogueNames(): CatalogueNames {
  const vehicles = readVehicles()
  const keys: Record<LookupKind, ReadonlySet<string>> = {
    category: new Set(readPartTypes().map(({ name }) => nameKey(name))),
    manufacturer: new Set(vehicles.map(({ manufacturer }) => nameKey(manufacturer))),
    car_model: new Set(vehicles.map(({ manufacturer, model }) => keyOf(model, manufacturer))),
  }
  return { has: (kind, name, manufacturer) => keys[kind].has(keyOf(name, manufacturer)) }
}

const keyOf = (name: string, manufacturer: string | null) =>
  manufacturer === null ? nameKey(name) : `${nameKey(manufacturer)}/${nameKey(name)}`

import type { vinFields } from '#contract/csv/import-fields.ts'
import { vinFault, withoutLookalikes } from '#contract/vehicle/vin-rules.ts'
import { type LookupNames, openLookupNames } from '#server/features/market/lookups/lookup-names.ts'
import type { Db } from '#server/platform/database/database.ts'
import { type DecodedVin, openVinDecoder, type VinDecoder } from './decode-vin.ts'
import { readVinPatterns } from './vin-patterns.ts'

/** Decodes VINs into vehicles of our lookups; one for a process. */
export type Vehicles = {
  decoder(): Promise<VinDecoder>
  catalog(db: Db): Promise<VehicleCatalog>
}

export function openVehicles(now: () => Date): Vehicles {
  let decoder: VinDecoder | undefined
  return {
    async decoder() {
      decoder ??= openVinDecoder(await readVinPatterns(), now)
      return decoder
    },
    catalog: async (db) => catalogOf(await openLookupNames(db)),
  }
}

/** A make and a model of our lookups, and what else the maker's model name implies: a 328i is a 3 Series. */
type CatalogVehicle = {
  readonly make?: { readonly id: string; readonly name: string }
  readonly model?: { readonly id: string; readonly name: string; readonly trim?: string }
}

export type VehicleCatalog = {
  find(car: { make?: string; model?: string; series?: string }): CatalogVehicle
}

/** The names of NHTSA's models are aliases of ours where they differ (`db/data/model-names.csv`). */
function catalogOf(names: Pick<LookupNames, 'manufacturer' | 'model'>): VehicleCatalog {
  return {
    find({ make: madeBy, model: called, series }) {
      const make = madeBy === undefined ? undefined : names.manufacturer(madeBy)
      if (!make) return {}
      const model = spellings(called, series)
        .map((name) => names.model(make.id, name))
        .find((found) => found !== undefined)
      return model ? { make, model } : { make }
    },
  }
}

/** "Silverado 1500" before "Silverado", "Caravan" for "Caravan/Grand Caravan". */
function spellings(model: string | undefined, series: string | undefined): string[] {
  if (model === undefined) return []
  const [first = model] = model.split(/[/,(]/)
  const longer = series === undefined ? [] : [`${model} ${series}`]
  return [...longer, model, model.replace(' and ', ' & '), first]
}

/** The make and model of our lookups that a VIN names. */
export function catalogVehicle(catalog: VehicleCatalog, { car }: DecodedVin): CatalogVehicle {
  const { make, model, series } = car
  return catalog.find({
    ...(make && { make: make.value }),
    ...(model && { model: model.value }),
    ...(series && { series: series.value }),
  })
}

// Below this a field is a guess: one of two trims, or anything from a VIN with a wrong check digit.
const SURE = 0.75

/** The car of a row from its VIN, as names of our lookups; uncertain fields are absent. */
export type VinFields = { readonly [Field in (typeof vinFields)[number]]?: string } & {
  /** It has a typo; then there is nothing else. */
  readonly isMistyped?: true
}
export type ReadVin = (vin: string) => VinFields | undefined

/** Reads the VINs of a file's rows; synchronous, as there may be a million. Names are those of our lookups. */
export async function openRowVins(db: Db, vehicles: Vehicles): Promise<ReadVin> {
  const [decoder, catalog] = await Promise.all([vehicles.decoder(), vehicles.catalog(db)])
  return (typed: string) => {
    const vin = withoutLookalikes(typed)
    if (vinFault(vin)) return { isMistyped: true }
    const decoded = decoder.decode(vin)
    if (!decoded.valid) return { isMistyped: true }
    const { make, model } = catalogVehicle(catalog, decoded)
    const sure = (field: 'year' | 'make' | 'model' | 'trim' | 'body') => {
      const known = decoded.car[field]
      return known && known.certainty >= SURE ? String(known.value) : undefined
    }
    const fields = {
      partyear: sure('year'),
      partmanu: sure('make') && make?.name,
      partmodel: sure('model') && model?.name,
      parttrim: sure('trim') ?? model?.trim,
      bodystyle: sure('body'),
    }
    return Object.fromEntries(Object.entries(fields).filter(([, said]) => said !== undefined)) as VinFields
  }
}

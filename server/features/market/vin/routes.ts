import type { NotAVin, VinVehicle, vinEndpoints } from '#contract/vehicle/vin.ts'
import { plainVin, vinFault } from '#contract/vehicle/vin-rules.ts'
import { AppError } from '#server/platform/errors.ts'
import type { Handlers } from '#server/platform/http/handler.ts'
import type { DecodedVin, VinDecoder, VinField } from './decode-vin.ts'
import { catalogVehicle, type VehicleCatalog, type Vehicles } from './vehicles.ts'

// Decodes take 0.2 ms each; other requests come in between.
const DECODED_AT_ONCE = 50

export function vinRoutes(vehicles: Vehicles): Handlers<typeof vinEndpoints> {
  return {
    async decodeVin({ db, params, setHeader }) {
      const vin = plainVin(params.vin)
      const fault = vinFault(vin)
      if (fault) throw notAVin(fault)
      const [decoder, catalog] = await Promise.all([vehicles.decoder(), vehicles.catalog(db)])
      // The same for everyone, but a person's car must not be in a shared cache.
      setHeader('cache-control', 'private, max-age=3600')
      return presentVehicle(decoder.decode(vin), { decoder, catalog })
    },

    async decodeVins(request) {
      const { vins } = await request.body()
      const [decoder, catalog] = await Promise.all([vehicles.decoder(), vehicles.catalog(request.db)])
      const items: (VinVehicle | NotAVin)[] = []
      for (const [at, typed] of vins.entries()) {
        if (at % DECODED_AT_ONCE === DECODED_AT_ONCE - 1) await new Promise(setImmediate)
        const vin = plainVin(typed)
        const fault = vinFault(vin)
        if (fault) {
          const { sentence, position, suggestions } = fault
          items.push({ vin, error: `${sentence}.`, position, suggestions })
        } else items.push(presentVehicle(decoder.decode(vin), { decoder, catalog }))
      }
      return { items }
    },
  }
}

function notAVin({ sentence, position, suggestions }: NonNullable<ReturnType<typeof vinFault>>): AppError {
  return new AppError('VALIDATION_FAILED', `${sentence}.`, {
    fields: { vin: sentence },
    typed: { position, suggestions },
  })
}

const sureFields = [
  'year',
  'make',
  'model',
  'series',
  'trim',
  'body',
  'doors',
  'engine',
  'fuel',
  'drive',
  'transmission',
] as const satisfies readonly VinField[]

function presentVehicle(
  decoded: DecodedVin,
  { decoder, catalog }: { decoder: VinDecoder; catalog: VehicleCatalog },
): VinVehicle {
  const { vin, valid, problems, car } = decoded
  const own = catalogVehicle(catalog, decoded)
  const trim =
    car.trim ??
    (own.model?.trim !== undefined && car.model ? { ...car.model, value: own.model.trim } : undefined)
  const known = { ...car, ...(trim && { trim }) }
  const text = (field: Exclude<VinField, 'year' | 'doors'>) => known[field]?.value ?? null
  return {
    vin,
    valid,
    problems: [...problems],
    suggestions: valid ? [] : decoder.suggest(vin),
    year: car.year?.value ?? null,
    make: own.make?.name ?? text('make'),
    model: own.model?.name ?? text('model'),
    series: text('series'),
    trim: text('trim'),
    body: text('body'),
    doors: car.doors?.value ?? null,
    engine: text('engine'),
    engineParts: car.engineParts ?? null,
    fuel: text('fuel'),
    drive: text('drive'),
    transmission: text('transmission'),
    makeId: own.make?.id ?? null,
    modelId: own.model?.id ?? null,
    certainty: Object.fromEntries(
      sureFields.flatMap((field) => {
        const certainty = known[field]?.certainty
        return certainty === undefined ? [] : [[field, certainty]]
      }),
    ),
  }
}

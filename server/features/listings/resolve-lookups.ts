import type { ListingText } from '#contract/listing-rules.ts'
import { findCarModel, findCategory, findManufacturer } from '#server/features/lookups/lookup-queries.ts'
import type { Db } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'
import type { ListingColumns } from './listing-columns.ts'

type LookupColumns = Partial<
  Pick<
    ListingColumns,
    'category_id' | 'manufacturer_id' | 'manufacturer_name' | 'car_model_id' | 'model_name'
  >
>

/** What the listing already says, where a change sends only a part of it. */
export type KnownVehicle = { manufacturerId: string | null; manufacturerName: string; modelName: string }

/**
 * Turns category, manufacturer and model, sent as id or as name, into ids. A model that is in no list stays as text:
 * yards sell parts of cars we have no entry for.
 * @throws AppError VALIDATION_FAILED with a sentence for each unknown one
 */
export async function resolveLookups(
  db: Db,
  text: ListingText,
  known?: KnownVehicle,
): Promise<LookupColumns> {
  const fields: Record<string, string> = {}
  const category = await resolveCategory(db, text, fields)
  const manufacturer = await resolveManufacturer(db, text, fields)
  const manufacturerId = manufacturer.manufacturer_id ?? known?.manufacturerId ?? undefined
  const model = await resolveModel(db, { text, manufacturerId, known }, fields)
  const [sentence] = Object.values(fields)
  if (sentence) throw new AppError('VALIDATION_FAILED', sentence, { fields })
  return { ...category, ...manufacturer, ...model }
}

type Fields = Record<string, string>

async function resolveCategory(db: Db, text: ListingText, fields: Fields): Promise<LookupColumns> {
  if (!text.partcategoryId) return {}
  const category = await findCategory(db, text.partcategoryId)
  if (!category) fields.partcategoryId = 'There is no such category. Choose one from the list.'
  return category ? { category_id: category.id } : {}
}

async function resolveManufacturer(db: Db, text: ListingText, fields: Fields): Promise<LookupColumns> {
  const idOrName = text.partmanuId || text.partmanuname
  if (!idOrName) return {}
  const manufacturer = await findManufacturer(db, idOrName)
  if (!manufacturer) fields.partmanuId = 'There is no such manufacturer. Choose one from the list.'
  return manufacturer ? { manufacturer_id: manufacturer.id, manufacturer_name: manufacturer.name } : {}
}

type ModelQuestion = {
  text: ListingText
  manufacturerId: string | undefined
  known: KnownVehicle | undefined
}

async function resolveModel(db: Db, question: ModelQuestion, fields: Fields): Promise<LookupColumns> {
  const { text, manufacturerId, known } = question
  const manufacturerMoved = known !== undefined && manufacturerId !== known.manufacturerId
  if (text.partmodel === undefined && text.partmodelId === undefined && !manufacturerMoved) return {}
  const name = text.partmodel || known?.modelName || ''
  if (manufacturerId === undefined) return { model_name: name, car_model_id: null }
  if (text.partmodelId) {
    const chosen = await findCarModel(db, manufacturerId, text.partmodelId)
    if (!chosen) {
      fields.partmodelId = 'There is no such model of this manufacturer. Choose one from the list.'
      return {}
    }
    return { car_model_id: chosen.id, model_name: chosen.name }
  }
  const named = name === '' ? undefined : await findCarModel(db, manufacturerId, name)
  return { model_name: named?.name ?? name, car_model_id: named?.id ?? null }
}

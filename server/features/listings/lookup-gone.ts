import { brokenForeignKey } from '#server/platform/database/database.ts'
import { AppError } from '#server/platform/errors.ts'

const lookups: Readonly<Record<string, [field: string, noun: string]>> = {
  listing_category_id_fkey: ['partcategoryId', 'category'],
  listing_manufacturer_id_fkey: ['partmanuId', 'manufacturer'],
  listing_car_model_id_fkey: ['partmodelId', 'model'],
}

/** A lookup was deleted, or was done being merged, after its name was read and before the listing was written. */
export function lookupGone(error: unknown): AppError | undefined {
  const [field, noun] = lookups[brokenForeignKey(error) ?? ''] ?? []
  if (!field) return undefined
  const sentence = `This ${noun} was just deleted or merged into another. Choose it from the list again.`
  return new AppError('VALIDATION_FAILED', sentence, { fields: { [field]: sentence }, cause: error })
}

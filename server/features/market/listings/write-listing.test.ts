import { DatabaseError } from 'pg'
import { expect, test } from 'vitest'
import { missingLookupError } from './write-listing.ts'

function refusedBy(constraint: string, code = '23503'): DatabaseError {
  const error = new DatabaseError('refused', 7, 'error')
  return Object.assign(error, { code, constraint })
}

test.each([
  ['listing_category_id_fkey', 'partcategoryId'],
  ['listing_manufacturer_id_fkey', 'partmanuId'],
  ['listing_car_model_id_fkey', 'partmodelId'],
])('%s is reported on its field', (constraint, field) => {
  expect(missingLookupError(refusedBy(constraint))).toMatchObject({
    code: 'VALIDATION_FAILED',
    fields: { [field]: expect.stringContaining('Choose it from the list again') },
  })
})

test.each([
  [refusedBy('listing_seller_id_fkey')],
  [refusedBy('listing_category_id_fkey', '23505')],
  [new Error('x')],
])('any other error is left alone', (error) => {
  expect(missingLookupError(error)).toBeUndefined()
})

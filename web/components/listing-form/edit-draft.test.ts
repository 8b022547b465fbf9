import { expect, test } from 'vitest'
import { withDraft } from './edit-draft.tsx'
import { emptyValues } from './listing-values.ts'

const read = { ...emptyValues(), partname: 'Starter', partprice: '60.00', zipcode: '74103' }
const left = { before: read, values: { ...read, partprice: '70', partdamage: 'Scratched' } }

test('a draft is restored into the form of an unchanged listing', () => {
  expect(withDraft('quick', left, { before: read, typed: read })).toEqual({
    values: left.values,
    overlaps: [],
  })
})

test('changes others made in the meantime are kept, and conflicts are reported', () => {
  const now = { ...read, partprice: '55.00', zipcode: '74104' }
  expect(withDraft('quick', left, { before: now, typed: now })).toEqual({
    values: { ...now, partprice: '70', partdamage: 'Scratched' },
    overlaps: [{ field: 'partprice', theirs: '55.00', mine: '70' }],
  })
})

test('edits made since the form was opened stay', () => {
  const typed = { ...read, partprice: '65', partname: 'Starter motor' }
  expect(withDraft('quick', left, { before: read, typed })).toEqual({
    values: { ...typed, partdamage: 'Scratched' },
    overlaps: [],
  })
})

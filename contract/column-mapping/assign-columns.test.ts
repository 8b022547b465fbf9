import fc from 'fast-check'
import { expect, test } from 'vitest'
import { assignColumns, type Offer } from './assign-columns.ts'

const meritOf = (given: readonly number[], offers: readonly Offer[]) =>
  given.reduce((total, column, field) => {
    const merits = offers
      .filter((one) => one.field === field && one.column === column)
      .map(({ merit }) => merit)
    return total + Math.max(0, ...merits)
  }, 0)

/** The highest possible merit, found by trying every assignment. */
function highest(field: number, fields: number, left: readonly number[], offers: readonly Offer[]): number {
  if (field === fields) return 0
  const without = highest(field + 1, fields, left, offers)
  const withOne = left.map((column) => {
    const given = meritOf(
      [column],
      offers.filter((one) => one.field === field).map((one) => ({ ...one, field: 0 })),
    )
    return (
      given +
      highest(
        field + 1,
        fields,
        left.filter((other) => other !== column),
        offers,
      )
    )
  })
  return Math.max(without, ...withOne)
}

const FIELDS = 4
const COLUMNS = 4
const offer = fc.record({
  field: fc.nat(FIELDS - 1),
  column: fc.nat(COLUMNS - 1),
  merit: fc.integer({ min: 1, max: 50 }),
})

test('the assignment as a whole is optimal, with one column per field and one field per column', () => {
  fc.assert(
    fc.property(fc.array(offer, { maxLength: 12 }), (offers) => {
      const given = assignColumns(FIELDS, COLUMNS, offers)
      const taken = given.filter((column) => column !== -1)
      expect(new Set(taken).size).toBe(taken.length)
      given.forEach((column, field) => {
        if (column !== -1)
          expect(offers.some((one) => one.field === field && one.column === column)).toBe(true)
      })
      expect(meritOf(given, offers)).toBe(highest(0, FIELDS, [0, 1, 2, 3].slice(0, COLUMNS), offers))
      expect(assignColumns(FIELDS, COLUMNS, offers.toReversed())).toEqual(given)
    }),
  )
})

test('a field gives up its best column to a field that has no other', () => {
  const offers = [
    { field: 0, column: 0, merit: 5 },
    { field: 0, column: 1, merit: 4 },
    { field: 1, column: 0, merit: 3 },
  ]
  expect(assignColumns(2, 2, offers)).toEqual([1, 0])
  expect(assignColumns(2, 0, [])).toEqual([-1, -1])
})

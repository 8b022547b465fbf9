import { expect, test } from 'vitest'
import { dayOf, sellerSlugOf } from './run-order.ts'

const id = '0192abcd-1111-7000-8000-000000000000'

test.each([
  ['Green Country Salvage', 'a@example.com', 'green-country-salvage'],
  ['  José & Söhne ', 'a@example.com', 'jose-sohne'],
  ['', 'parts.desk@example.com', 'parts-desk'],
  ['修理', '_@example.com', 'seller_0192abcd'],
])('the slug of %j, %j is %s', (name, email, slug) => {
  expect(sellerSlugOf({ name, email, id })).toBe(slug)
})

test('the day is the local calendar day', () => {
  expect(dayOf(new Date(2026, 0, 5, 23, 59))).toBe('2026-01-05')
})

import { expect, test } from 'vitest'
import { openCatalogue } from './catalogue.ts'
import { periodFrom } from './subscription.ts'

const PLAN = { productName: 'Pro', unitAmount: 14_900, currency: 'usd' }
const catalogue = openCatalogue([
  { ...PLAN, id: 'price_month', interval: 'month' },
  { ...PLAN, id: 'price_year', interval: 'year' },
])

test.each([
  ['price_month', '2026-03-15T10:20:30Z', '2026-04-15T10:20:30Z'],
  ['price_month', '2026-01-31T23:59:59Z', '2026-02-28T23:59:59Z'],
  ['price_month', '2028-01-31T00:00:00Z', '2028-02-29T00:00:00Z'],
  ['price_month', '2026-12-31T08:00:00Z', '2027-01-31T08:00:00Z'],
  ['price_year', '2028-02-29T08:00:00Z', '2029-02-28T08:00:00Z'],
])('%s from %s to %s', (id, from, to) => {
  const price = catalogue.price(id)
  if (!price) throw new Error(`There is no ${id}`)
  const seconds = (text: string) => Date.parse(text) / 1000
  expect(periodFrom(seconds(from), price)).toEqual({
    current_period_start: seconds(from),
    current_period_end: seconds(to),
  })
})

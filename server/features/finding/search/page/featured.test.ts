import { expect, test } from 'vitest'
import { type Placeable, placeFeatured } from './featured.ts'

let made = 0
/** `count` equal parts of a seller. */
function partsOf(sellerId: string, count = 1, { isPro = false, match = 'same' } = {}): Placeable[] {
  return Array.from({ length: count }, () => {
    made += 1
    return { id: `part ${made} of ${sellerId}`, sellerId, isPro, match }
  })
}
const proOf = (sellerId: string, count = 1, match = 'same') =>
  partsOf(sellerId, count, { isPro: true, match })
const pageOf = (parts: readonly Placeable[], at: number, perPage: number) =>
  parts.slice(at * perPage, (at + 1) * perPage)

const stock = [
  ...partsOf('free yard', 30),
  ...['a', 'b', 'c', 'd', 'e'].flatMap((name) => proOf(`pro ${name}`, 4)),
]

test.each([1, 2, 5, 12, 24, 100])('%i a page: at most three of the first twelve, one a seller', (perPage) => {
  const { ordered, featured } = placeFeatured(stock, { perPage, day: '2026-11-29' })
  expect(ordered.map(({ id }) => id).toSorted()).toEqual(stock.map(({ id }) => id).toSorted())
  expect(featured.size).toBeGreaterThan(0)
  for (let at = 0; at * perPage < ordered.length; at += 1) {
    const page = pageOf(ordered, at, perPage)
    const places = page.flatMap(({ id }, place) => (featured.has(id) ? place : []))
    expect(places.length).toBeLessThanOrEqual(Math.min(3, Math.ceil(perPage / 4)))
    expect(places.every((place) => place < 12)).toBe(true)
    const sellers = places.map((place) => page[place]?.sellerId)
    expect(new Set(sellers).size).toBe(sellers.length)
  }
})

test('the first page has three, in front; all others keep their order', () => {
  const { ordered, featured } = placeFeatured(stock, { perPage: 24, day: '2026-11-29' })
  expect(ordered.slice(0, 3).every(({ id, isPro }) => isPro && featured.has(id))).toBe(true)
  const others = ordered.filter(({ id }) => !featured.has(id))
  expect(others).toEqual(stock.filter(({ id }) => !featured.has(id)))
})

test('the places are the same all day, and go to others on other days', () => {
  const on = (day: string) => [...placeFeatured(stock, { perPage: 24, day }).featured]
  expect(on('2026-11-29')).toEqual(on('2026-11-29'))
  const days = Array.from({ length: 20 }, (_, at) => on(`2026-12-${at + 1}`)[0])
  expect(new Set(days).size).toBeGreaterThan(2)
})

test('a better match is never behind a paid place', () => {
  const better = partsOf('free yard', 2, { match: 'better' })
  const worse = [...partsOf('other yard', 3, { match: 'worse' }), ...proOf('pro', 2, 'worse')]
  const { ordered, featured } = placeFeatured([...better, ...worse], { perPage: 12, day: '2026-11-29' })
  expect(ordered.map(({ match }) => match)).toEqual(['better', 'better', ...worse.map(() => 'worse')])
  expect(ordered.map(({ id }) => featured.has(id))).toEqual([false, false, true, false, false, false, false])
})

test('groups of equals share the three places of a page, one a seller', () => {
  const groups = ['1', '2', '3', '4', '5'].flatMap((match) => [
    ...partsOf('free yard', 1, { match }),
    ...proOf('pro a', 1, match),
    ...proOf('pro b', 1, match),
    ...proOf('pro c', 1, match),
  ])
  const { ordered, featured } = placeFeatured(groups, { perPage: 20, day: '2026-11-29' })
  expect(featured.size).toBe(3)
  expect(ordered.slice(0, 3).every(({ id }) => featured.has(id))).toBe(true)
})

test('a place needs an equal part of another seller behind it', () => {
  const day = '2026-11-29'
  const isFeatured = (parts: Placeable[]) => placeFeatured(parts, { perPage: 12, day }).featured.size
  expect(isFeatured(proOf('pro', 3))).toBe(0)
  expect(isFeatured([...proOf('pro a'), ...proOf('pro b')])).toBe(1)
  expect(isFeatured([...proOf('pro'), ...partsOf('free yard', 1, { match: 'worse' })])).toBe(0)
  expect(isFeatured([...proOf('pro'), ...partsOf('free yard')])).toBe(1)
})

test('without Pro sellers the order stays', () => {
  const parts = partsOf('free yard', 20)
  expect(placeFeatured(parts, { perPage: 12, day: '2026-11-29' })).toEqual({
    ordered: parts,
    featured: new Set(),
  })
})

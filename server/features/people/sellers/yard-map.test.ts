import { expect, test } from 'vitest'
import { DRAWING, isNameOnLeft, mapPointOf } from '#contract/pages/yard-drawing.ts'
import { drawMap, type Town } from './yard-map.ts'

const town = (name: string, east: number, north: number, zips = 1): Town => ({
  name,
  state: 'MO',
  east,
  north,
  zips,
})
const namesOf = (towns: Town[]) => drawMap(towns, 'Joplin')?.towns.map(({ name }) => name)

/** A circle of towns around the yard. */
const ring = (miles: number, count = 8): Town[] =>
  Array.from({ length: count }, (_, at) => {
    const angle = ((at + 0.5) / count) * 2 * Math.PI
    return town(`Town ${at}`, miles * Math.sin(angle), miles * Math.cos(angle))
  })

test('no town, no drawing; few towns, as near as they are', () => {
  expect(drawMap([], 'Joplin')).toBeNull()
  expect(drawMap([town('Beyond', 200, 0)], 'Joplin')).toBeNull()
  expect(drawMap([town('Lonely', 0, 45)], 'Joplin')?.reach).toBe(60)
})

test('as near as there are enough towns', () => {
  expect(drawMap(ring(9, 7), 'Joplin')?.reach).toBe(12)
  expect(drawMap([...ring(8, 2), ...ring(26, 7)], 'Joplin')?.reach).toBe(35)
})

test('larger towns come first, then nearer ones, and none covers another', () => {
  const beside = [
    town('Small', 20, 30),
    town('Large', 22, 30, 9),
    town('Far', -40, 41),
    town('Near', -40, 40),
  ]
  expect(namesOf(beside)).toEqual(['Large', 'Near'])
})

test('names stay on the drawing', () => {
  const towns = [7, 10, 16, 25, 40, 70].flatMap((miles) => ring(miles, 12))
  const map = drawMap(towns, 'Joplin')
  expect(map?.towns.length).toBeGreaterThan(5)
  for (const each of map?.towns ?? []) {
    const spot = mapPointOf(each, map?.reach ?? 0)
    const end = spot.x + (isNameOnLeft(spot) ? -1 : 1) * each.name.length * 7
    expect(Math.min(end, spot.x)).toBeGreaterThan(0)
    expect(Math.max(end, spot.x)).toBeLessThan(DRAWING.width)
  }
})

import { expect, test } from 'vitest'
import { planSeed } from './seed-plan.ts'

const options = { chunks: 10, disturbances: 3, stopMs: 40_000 }
const seeds = Array.from({ length: 200 }, (_, at) => at + 1)

test('a seed is the same course of events every time, and another seed another', () => {
  expect(planSeed(7, options)).toEqual(planSeed(7, options))
  expect(new Set(seeds.map((seed) => JSON.stringify(planSeed(seed, options)))).size).toBe(seeds.length)
})

test('every chunk is sent', () => {
  for (const seed of seeds) {
    expect([...planSeed(seed, options).order].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
  }
})

test('the seeds together kill and pause everything, in both kinds of import, with one long pause at most', () => {
  const plans = seeds.map((seed) => planSeed(seed, options))
  for (const { disturbances } of plans) {
    expect(disturbances.filter(({ kind }) => kind === 'stop').length).toBeLessThanOrEqual(1)
    expect(disturbances.map(({ at }) => at)).toEqual(disturbances.map(({ at }) => at).sort((a, b) => a - b))
  }
  const met = new Set(
    plans.flatMap(({ scenario, disturbances }) =>
      disturbances.map(({ kind, target }) => `${kind} ${target}, ${scenario}`),
    ),
  )
  const things = ['api', 'worker', 'database'].flatMap((target) => [`kill ${target}`, `stop ${target}`])
  const expected = [...things, 'kill connection'].flatMap((thing) => [
    `${thing}, first file`,
    `${thing}, next stock`,
  ])
  expect([...met].sort()).toEqual(expected.sort())
})

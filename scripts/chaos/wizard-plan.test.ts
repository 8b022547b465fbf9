import { expect, test } from 'vitest'
import { planWizardSeed } from './wizard-plan.ts'

const options = { rows: 10_000, troubles: 5 }
const seeds = Array.from({ length: 200 }, (_, at) => at + 1)

test('a seed is the same course of events every time, and another seed another', () => {
  expect(planWizardSeed(7, options)).toEqual(planWizardSeed(7, options))
  expect(new Set(seeds.map((seed) => JSON.stringify(planWizardSeed(seed, options)))).size).toBe(seeds.length)
})

test('the seeds together bring every trouble into both kinds of import, in the order in which they come', () => {
  const plans = seeds.map((seed) => planWizardSeed(seed, options))
  for (const { troubles } of plans) {
    expect(troubles.map(({ at }) => at)).toEqual(troubles.map(({ at }) => at).sort((a, b) => a - b))
  }
  const met = new Set(
    plans.flatMap(({ scenario, troubles }) => troubles.map(({ kind }) => `${scenario}: ${kind}`)),
  )
  expect(met.size).toBe(18)
})

test('chunks are as large as the wizard lets them be, for files of any length', () => {
  for (const rows of [50, 1_000, 10_000, 1_000_000]) {
    for (const seed of seeds) {
      const { chunkSize } = planWizardSeed(seed, { rows, troubles: 1 })
      expect([chunkSize >= 100, chunkSize <= 2_000, chunkSize % 100]).toEqual([true, true, 0])
    }
  }
  expect(planWizardSeed(3, { ...options, chunkSize: 700 }).chunkSize).toBe(700)
})

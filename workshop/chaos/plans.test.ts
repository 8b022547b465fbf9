import { expect, test } from 'vitest'
import { planImport } from './import.ts'
import { planWizard } from './wizard.ts'

const seeds = Array.from({ length: 200 }, (_, at) => at + 1)
const imports = seeds.map((seed) => planImport(seed, { chunks: 10, disturbances: 3, stopMs: 40_000 }))
const wizards = seeds.map((seed) => planWizard(seed, { rows: 10_000, troubles: 5 }))

const kindsIn = (plans: readonly { scenario: string; events: readonly string[] }[]) =>
  new Set(plans.flatMap(({ scenario, events }) => events.map((event) => `${scenario}: ${event}`)))

test('a seed always makes the same plan, and every seed makes a different one', () => {
  expect(planImport(7, { chunks: 10, disturbances: 3, stopMs: 40_000 })).toEqual(imports[6])
  expect(planWizard(7, { rows: 10_000, troubles: 5 })).toEqual(wizards[6])
  for (const plans of [imports, wizards]) {
    expect(new Set(plans.map((plan) => JSON.stringify(plan))).size).toBe(seeds.length)
  }
})

test('every chunk is sent, with at most one long pause', () => {
  for (const { order, disturbances } of imports) {
    expect([...order].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])
    expect(disturbances.filter(({ kind }) => kind === 'stop').length).toBeLessThanOrEqual(1)
  }
})

test('the seeds together cover every failure in both kinds of imports', () => {
  const disturbed = imports.map(({ scenario, disturbances }) => ({
    scenario,
    events: disturbances.map(({ kind, target }) => `${kind} ${target}`),
  }))
  const troubled = wizards.map(({ scenario, troubles }) => ({
    scenario,
    events: troubles.map(({ kind }) => kind),
  }))
  // Three kinds of process are killed or stopped, and connections are killed; the wizard has nine troubles.
  expect(kindsIn(disturbed).size).toBe(2 * 7)
  expect(kindsIn(troubled).size).toBe(2 * 9)
})

test('chunk sizes stay within the wizard’s limits for files of any length', () => {
  for (const rows of [50, 1_000, 10_000, 1_000_000]) {
    for (const seed of seeds) {
      const { chunkSize } = planWizard(seed, { rows, troubles: 1 })
      expect([chunkSize >= 100, chunkSize <= 2_000, chunkSize % 100]).toEqual([true, true, 0])
    }
  }
})

import { expect, test } from 'vitest'
import { combinedCents, shippingRuleNames } from './combined-shipping.ts'

test.each([
  ['each', [1_500, 1_000, 0], 2_500],
  ['half', [1_500, 1_000, 0], 2_000],
  ['half', [1_001, 999, 2], 1_501],
  ['dearest', [1_500, 1_000, 0], 1_500],
  ['half', [1_500], 1_500],
  ['each', [], 0],
] as const)('%s of %j is %i', (rule, alone, cents) => {
  expect(combinedCents(rule, alone)).toBe(cents)
})

test('a part fewer never costs more to ship, and several never more than one by one', () => {
  const prices = [0, 1, 2, 999, 1_000, 1_001, 15_000]
  const some = [0, 1, 2, 3].flatMap((at) => prices.map((price) => [...prices.slice(at, at + 3), price]))
  for (const rule of shippingRuleNames) {
    for (const alone of some) {
      const whole = combinedCents(rule, alone)
      expect(whole).toBeLessThanOrEqual(combinedCents('each', alone))
      alone.forEach((_, at) => {
        expect(combinedCents(rule, alone.toSpliced(at, 1))).toBeLessThanOrEqual(whole)
      })
    }
  }
})

/* What shipping costs if several parts of a yard go together. The yard chooses under "Selling online". */

export const shippingRules = {
  each: 'Each part’s own price',
  half: 'The highest price, plus half of the others',
  dearest: 'Only the highest price',
} as const
export type ShippingRule = keyof typeof shippingRules
export const shippingRuleNames = Object.keys(shippingRules) as ShippingRule[]

/**
 * Cents to ship parts together, from what each costs alone. Never more than their sum, and never more with a part fewer:
 * what a missing part leaves is never charged twice.
 */
export function combinedCents(rule: ShippingRule, alone: readonly number[]): number {
  const dearest = Math.max(0, ...alone)
  const others = alone.reduce((sum, cents) => sum + cents, 0) - dearest
  if (rule === 'each') return dearest + others
  return rule === 'dearest' ? dearest : dearest + Math.floor(others / 2)
}

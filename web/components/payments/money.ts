import type { Amount } from '#contract/billing.ts'

/** Spec, section 9: minor units over 100, in the en-US currency format. */
export function formatMinorUnits({ amount, currency }: Amount): string {
  return new Intl.NumberFormat('en-US', { style: 'currency', currency }).format(amount / 100)
}

const nothing: Amount = { amount: 0, currency: 'usd' }

/** One text a currency; an empty balance reads as zero of the default one. */
export function amountsInWords(amounts: Amount[]): string[] {
  return (amounts.length === 0 ? [nothing] : amounts).map(formatMinorUnits)
}

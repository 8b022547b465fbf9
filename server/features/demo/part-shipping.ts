import type { PartSize } from './demo-parts.ts'
import type { Random } from './random.ts'

const usual: Record<PartSize, readonly string[]> = {
  small: ['Free', 'Free', 'Flat $8', 'Flat $9.95', 'Flat $12'],
  medium: ['Free', 'Flat $15', 'Flat $18', 'Flat $24.95', 'Flat $29'],
  large: ['Flat $45', 'Flat $59', 'Flat $75', 'Flat $95', 'Pickup only'],
  freight: ['Pickup only', 'Pickup only', 'Flat $185', 'Flat $225', 'Flat $260'],
}

/** Shipping in the words of the form. */
export function shippingFor(size: PartSize, random: Random): string {
  return random.pick(usual[size])
}

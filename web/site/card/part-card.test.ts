import { expect, test } from 'vitest'
import { shippingOf } from './part-card.tsx'

const part = { partprice: 115, partshipping: null, currency: 'usd', partcity: 'Tulsa' }

test.each([
  [{ shippingKind: 'free', partshipping: 0 }, 'Free shipping'],
  [
    { shippingKind: 'flat', partshipping: 20, distanceMiles: 1204.6 },
    '+ $20.00 shipping = $135.00 · 1,205 mi',
  ],
  [{ shippingKind: 'quote' }, '+ shipping quote'],
  [{ shippingKind: 'pickup' }, 'Pickup only'],
  [{ shippingKind: 'pickup', distanceMiles: 14.2 }, 'Pickup in Tulsa, 14 mi'],
  [{ shippingKind: 'pickup', distanceMiles: 14.2, partcity: '' }, 'Pickup only · 14 mi'],
] as const)('%j reads %s', (shipping, words) => {
  expect(shippingOf({ ...part, ...shipping })).toBe(words)
})

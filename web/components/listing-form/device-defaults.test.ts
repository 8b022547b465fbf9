import { expect, test } from 'vitest'
import { readListingDefaults } from './device-defaults.ts'

test.each([
  [null, {}],
  ['{"city":"Tulsa","shipping":"Flat $20"}', { city: 'Tulsa', shipping: 'Flat $20' }],
  ['{"city":7,"state":null,"other":"x"}', {}],
  ['not json', {}],
  ['"text"', {}],
])('%s is read as far as it is one', (stored, defaults) => {
  expect(readListingDefaults(stored)).toEqual(defaults)
})

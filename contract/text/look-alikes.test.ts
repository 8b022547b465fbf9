import { expect, test } from 'vitest'
import { isNameOrOffice } from './look-alikes.ts'

test.each([
  'PartHarbor',
  'Part Harbor Support',
  'P\u0430rtHarb\u043er Official Payments',
  'PARTHARB0R customer help desk',
  'PartHarbor Support (email confirmed)',
])('%s is PartHarbor or an office of it', (text) => {
  expect(isNameOrOffice(text, 'PartHarbor')).toBe(true)
})

test.each(['Dana Whitfield', 'Harbor Parts', 'Bob of PartHarbor Salvage', 'Support', ''])(
  '%s is not',
  (text) => {
    expect(isNameOrOffice(text, 'PartHarbor')).toBe(false)
  },
)

test('a common word as a name leaves yards theirs', () => {
  expect(isNameOrOffice('Bob\u2019s Auto Parts', 'Auto Parts')).toBe(false)
})

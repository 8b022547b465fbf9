import { describe, expect, test } from 'vitest'
import { saleStates } from '#server/features/finding/vocabulary/sale-states.ts'

const { isWithdrawn, speaksOfSales, stateOfSale, withoutSoldMark } = saleStates

describe('a column of states', () => {
  test.each([
    ['Status', 'Available', 'for sale'],
    ['Status', 'A', 'for sale'],
    ['STS', 'S', 'not for sale'],
    ['Status', 'H', 'not for sale'],
    ['Status', 'On Hold', 'not for sale'],
    ['part_status', 'ON_HOLD', 'not for sale'],
    ['Status', 'on-hold 11/2/26', 'not for sale'],
    ['Status', 'Hold for Smith', 'not for sale'],
    ['Status', 'Reserved - J. Doe', 'not for sale'],
    ['Stock Status', 'Crushed', 'not for sale'],
    ['Status', 'Not-active', 'not for sale'],
    ['Status', 'NotActive', 'not for sale'],
    ['Status', 'draft', 'not for sale'],
    ['Status', 'B-Lot', 'unknown'],
    ['stockStatus', 'outofstock', 'not for sale'],
    ['Status', '2', 'unknown'],
    ['Status', '', undefined],
    ['Status', '--', undefined],
    ['Estatus', 'Apartado', 'not for sale'],
    ['Disponibilité', 'Réservé', 'not for sale'],
    ['Verfügbarkeit', 'nicht verfügbar', 'not for sale'],
    ['Verfügbarkeit', 'auf Lager', 'for sale'],
    ['Estado', 'Vendido', 'not for sale'],
    ['State', 'OK', undefined],
    ['Estado', 'Jalisco', undefined],
    ['St', 'H', 'not for sale'],
    ['St', 'S', 'not for sale'],
    ['St', 'A', 'for sale'],
    ['St', 'OK', undefined],
    ['Stage', 'Ready', 'for sale'],
    ['Stage', 'Gone', 'not for sale'],
  ])('%s: %s is %s', (column, cell, state) => expect(stateOfSale(column, cell)).toBe(state))

  test.each([
    ['Published', '1', 'for sale'],
    ['On Website', 'No', 'not for sale'],
    ['For Sale Y/N', 'N', 'not for sale'],
    ['AvailFlg', 'N', 'not for sale'],
    ['Show on Web', 'N', 'not for sale'],
    ['Sell Online', 'Yes', 'for sale'],
    ['Avail?', 'N', 'not for sale'],
    ['Sold To', 'J. Smith', 'not for sale'],
    ['Hold For', 'Smith Auto Body', 'not for sale'],
    ['Hold For', '1045', 'not for sale'],
    ['Sold To', 'N/A', undefined],
    ['Sold To', 'no', undefined],
    ['Hold For', '0', undefined],
    ['Published', '0', 'not for sale'],
    ['Published', '-1', 'not for sale'],
    ['Published', 'FALSE', 'not for sale'],
    ['In stock?', 'Yes', 'for sale'],
    ['In stock?', '12', 'for sale'],
    ['Active', 'Inactive', 'not for sale'],
    ['product_online', '2', 'not for sale'],
    ['product_online', '1', 'for sale'],
    ['Archived', 'Y', 'not for sale'],
    ['Archived', 'N', 'for sale'],
    ['On hold', 'x', 'not for sale'],
    ['Sold', 'TRUE', 'not for sale'],
    ['Sold', '11/3/2026', 'not for sale'],
    ['Sold', '14', undefined],
    ['Date Sold', '11/03/26', 'not for sale'],
    ['Date Sold', '0000-00-00', undefined],
    ['Fecha de venta', '2026-11-03', 'not for sale'],
  ])('%s: %s is %s', (column, cell, state) => expect(stateOfSale(column, cell)).toBe(state))
})

describe('another column', () => {
  test.each([
    ['Bin', 'SOLD 11/2', 'not for sale'],
    ['Notes', '*On hold*', 'not for sale'],
    ['Notes', '*SOLD* 2.4L, runs great', 'not for sale'],
    ['Remarks', 'ON HOLD for Jim till Fri', 'not for sale'],
    ['Remarks', 'hold for Dave', 'not for sale'],
    ['Remarks', 'sold to Mike', 'not for sale'],
    ['Remarks', 'sold for parts', undefined],
    ['Remarks', 'hold down bracket', undefined],
    ['Notes', 'sold as is', undefined],
    ['Notes', 'sold separately', undefined],
    ['eBay', 'Draft', undefined],
    ['Payment status', 'Pending', undefined],
    ['LAST SOLD', '03/14/25', undefined],
    ['Name', 'Crushed velvet seat', undefined],
  ])('%s: %s is %s', (column, cell, state) => expect(stateOfSale(column, cell)).toBe(state))
})

describe('the mark of a sold part in a line', () => {
  test.each([
    ['Trunk lid SOLD', 'Trunk lid'],
    ['Trunk lid (sold)', 'Trunk lid'],
    ['Trunk lid - SOLD 11/2', 'Trunk lid'],
    ['*SOLD* Trunk lid', 'Trunk lid'],
    ['SOLD - 2012 F-150 hood', '2012 F-150 hood'],
    ['Hood, on hold', 'Hood'],
    ['Hood (HOLD)', 'Hood'],
    ['Door, not sold', undefined],
    ['Seats, sold as is', undefined],
    ['Hood hold open rod', undefined],
    ['Crushed velvet seat', undefined],
    ['Sold state radio', undefined],
    ['SOLD Alternator', 'Alternator'],
    ['SOLD 2012 F-150 hood', '2012 F-150 hood'],
    ['SOLD AS IS engine', undefined],
    ['Sold separately: hood', undefined],
  ])('%s', (line, rest) => expect(withoutSoldMark(line)).toBe(rest))
})

test.each([
  ['HOLD', true],
  ['N/A - sold', true],
  ['n/a (SOLD)', true],
  ['Pending', true],
  ['$85 SOLD', true],
  ['Sold to Mike', true],
  ['call', false],
  ['85', false],
  ['S', false],
  ['obo', false],
  ['N/A', false],
  ['$85 sold as is', false],
])('an amount of “%s” withdraws its part: %s', (amount, is) => expect(isWithdrawn(amount)).toBe(is))

test.each([
  ['Post to eBay', true],
  ['okToSell', true],
  ['Web?', true],
  ['Warranty', false],
  ['Tested', false],
])('“%s” speaks of sales: %s', (header, is) => expect(speaksOfSales(header)).toBe(is))

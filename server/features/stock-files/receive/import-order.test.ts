import { expect, test } from 'vitest'
import { readImportOrder } from './import-order.ts'

const sent = (reading: string) => readImportOrder({ form: { reading }, dryRun: '1', headerKey: undefined })

test.each([
  ['{"encoding": "latin"}', 'reading.encoding must be utf-8, utf-16le, utf-16be, windows-1252 or macintosh'],
  [
    '{"delimiter": "||"}',
    'reading.delimiter must be one character, such as , ; or a tab, or a comma with a space, and no letter, digit or quote',
  ],
  [
    '{"delimiter": 7}',
    'reading.delimiter must be one character, such as , ; or a tab, or a comma with a space, and no letter, digit or quote',
  ],
  ['{"quote": "`"}', 'reading.quote must be ", \' or an empty text'],
  ['{"headerRow": "2"}', 'reading.headerRow must be a whole number from 0 to 101'],
  ['{"headerRow": 102}', 'reading.headerRow must be a whole number from 0 to 101'],
  ['{"rowOffset": -1.5}', 'reading.rowOffset must be a whole number from -1 to 101'],
  [
    '{"layout": "amazon"}',
    'reading.layout must be plain, ebay, shopify, woocommerce, magento, square, item paths, dated item paths, donor lines or cars once',
  ],
  ['{"decimals": "comma"}', 'reading.decimals must be an object such as {"partprice": "comma"}'],
  ['{"decimals": {"partprice": ","}}', 'reading.decimals.partprice must be point or comma'],
  ['{"sheet": 1}', 'reading.sheet must be the name of a sheet'],
  [
    '{"layout": "x", "headerRow": null}',
    'reading.headerRow must be a whole number from 0 to 101; reading.layout must be plain, ebay, shopify, woocommerce, magento, square, item paths, dated item paths, donor lines or cars once',
  ],
  ['[1]', 'The reading must be a JSON object such as {"delimiter": ";", "headerRow": 2}'],
  ['utf-8', 'The reading must be a JSON object such as {"delimiter": ";", "headerRow": 2}'],
])('the reading %s is refused with the allowed values', (reading, sentence) => {
  expect(() => sent(reading)).toThrow(
    expect.objectContaining({ code: 'VALIDATION_FAILED', message: sentence, fields: { reading: sentence } }),
  )
})

test('an explicit reading is accepted', () => {
  const reading = {
    delimiter: ';',
    headerRow: 2,
    quote: '',
    decimals: { partprice: 'comma' },
    sheet: 'Parts',
  }
  expect(sent(JSON.stringify(reading)).reading).toEqual(reading)
  expect(sent(' ').reading).toEqual({})
})

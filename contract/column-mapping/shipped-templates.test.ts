import { expect, test } from 'vitest'
import { importFields } from '#contract/csv/import-fields.ts'
import { mappingTemplate } from '#contract/imports.ts'
import { fitMapping, shippedMapping, shippedTemplateFor, shippedTemplates } from './shipped-templates.ts'

const [standard, ebay] = shippedTemplates('Yard Market')

test('are complete global templates named after the product', () => {
  for (const template of [standard, ebay]) expect(mappingTemplate.parse(template)).toEqual(template)
  expect(standard).toMatchObject({ name: 'Yard Market Standard CSV v1', scope: 'GLOBAL', shipped: true })
  expect(ebay?.name).toBe('eBay Motors File Exchange / Seller Hub')
  expect(Object.keys(standard?.mapping ?? {})).toEqual([...importFields])
})

const folded = ['Fitment make', 'Fitment model', 'Fitment year', 'Part type', 'Pictures']
const fileExchange = [
  '*Action(SiteID=eBayMotors|Country=US|Currency=USD|Version=1193|CC=UTF-8)',
  'CustomLabel',
  '*Title',
  '*StartPrice',
  '*C:Manufacturer Part Number',
  '*Quantity',
  'ShippingService-1:Cost',
  ...folded,
]
const sellerHub = [
  'Action(SiteID=eBayMotors|Country=US|Currency=USD|Version=1193)',
  'Custom label (SKU)',
  'Title',
  'Start price',
  'C:Manufacturer Part Number',
  'Quantity',
  'Shipping service 1 cost',
  ...folded,
]

test.each([
  ['File Exchange', fileExchange],
  ['Seller Hub', sellerHub],
])('the eBay template fits %s and maps each field to the file’s own header', (_, header) => {
  expect(shippedTemplateFor(header)).toBe(ebay?.id)
  const fitted = fitMapping(header, shippedMapping(ebay?.id ?? '') ?? {})
  expect(fitted).toEqual({
    stocknum: header[1],
    partname: header[2],
    partprice: header[3],
    partnum: header[4],
    partquantity: header[5],
    partshipping: header[6],
    partmanu: 'Fitment make',
    partmodel: 'Fitment model',
    partyear: 'Fitment year',
    partcategory: 'Part type',
    imageUrl: 'Pictures',
  })
})

test('a required column missing from the file stays in the mapping unless it has a default', () => {
  const header = ['partname', 'partmanu', 'partmodel', 'partprice']
  const mapping = shippedMapping(standard?.id ?? '') ?? {}
  expect(fitMapping(header, mapping)).toEqual({
    ...Object.fromEntries(header.map((name) => [name, name])),
    partyear: 'partyear',
  })
  expect(fitMapping(header, mapping, { partyear: '2012' })).not.toHaveProperty('partyear')
})

test('a standard CSV is recognized by the required columns', () => {
  const needed = ['partname', 'partcategory', 'PARTMANU', 'partmodel', 'partyear', 'partprice']
  expect(shippedTemplateFor([...needed, 'bin'])).toBe(standard?.id)
  expect(shippedTemplateFor(needed.slice(1))).toBeUndefined()
})

test('a custom mapping is used as is', () => {
  const mapping = { partname: 'Title', partprice: 'Start price' }
  expect(fitMapping(['*Title', 'StartPrice'], mapping)).toBe(mapping)
})

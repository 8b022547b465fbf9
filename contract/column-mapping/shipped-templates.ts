import { findColumn } from '#contract/csv/csv-header.ts'
import {
  type ImportDefaults,
  type ImportField,
  type ImportMapping,
  importFields,
  requiredImportFields,
  splitsOf,
  withSplits,
} from '#contract/csv/import-fields.ts'
import type { MappingTemplate } from '#contract/imports.ts'
import { isEbayHeader } from '#contract/yard-file/ebay-columns.ts'

/*
 * Templates that come with the product, for files that many programs write. They are part of the code: the same in
 * every installation and read-only. Wherever a template is chosen by id, they work like saved ones.
 */

/** The columns of our own standard CSV: what is exported under them is imported again as it is. A name has its side in it. */
export const standardColumns: readonly ImportField[] = importFields.filter((field) => field !== 'partside')

/** What a field's column may be called, best first. */
type Alternatives = Partial<Record<ImportField, readonly string[]>>

const STANDARD_ID = '01999999-0000-7000-8000-000000000001'
const EBAY_ID = '01999999-0000-7000-8000-000000000002'

const standard: Alternatives = Object.fromEntries(importFields.map((field) => [field, [field]]))

/** File Exchange, Seller Hub's upload templates, and its report of active listings; folded as `ebay-layout.ts` does. */
const ebay: Alternatives = {
  stocknum: ['Custom label (SKU)', 'CustomLabel', '*CustomLabel', 'Custom label', 'SKU'],
  partname: ['Title', '*Title', 'Item title'],
  partdescription: ['Description as text'],
  partcategory: ['Part type'],
  partmanu: ['Fitment make'],
  partmodel: ['Fitment model'],
  partyear: ['Fitment year'],
  parttrim: ['Fitment trim'],
  fitment: ['Fitment'],
  partgrade: ['Grade from condition'],
  imageUrl: ['Pictures'],
  partnum: [
    'C:Manufacturer Part Number',
    '*C:Manufacturer Part Number',
    'C:OE/OEM Part Number',
    '*C:OE/OEM Part Number',
    'MPN',
    'P:MPN',
    'Product:MPN',
  ],
  partprice: ['Start price', 'StartPrice', '*StartPrice', 'Current price', 'Price', 'Buy It Now price'],
  partshipping: ['Shipping service 1 cost', 'ShippingService-1:Cost'],
  partquantity: ['Quantity', '*Quantity', 'Available quantity'],
  zipcode: ['Postal code', '*PostalCode', 'Zip code'],
}

const alternativesById: ReadonlyMap<string, Alternatives> = new Map([
  [STANDARD_ID, standard],
  [EBAY_ID, ebay],
])

const firstOf = (alternatives: Alternatives): ImportMapping =>
  Object.fromEntries(Object.entries(alternatives).map(([field, [name]]) => [field, name]))

/** Under the name the product has on this installation. */
export function shippedTemplates(productName: string): MappingTemplate[] {
  const common = { scope: 'GLOBAL', reading: null, shipped: true } as const
  return [
    {
      ...common,
      id: STANDARD_ID,
      name: `${productName} Standard CSV v1`,
      mapping: firstOf(standard),
      description: 'Columns named like our fields, as in the export of your listings.',
    },
    {
      ...common,
      id: EBAY_ID,
      name: 'eBay Motors File Exchange / Seller Hub',
      mapping: firstOf(ebay),
      description: 'eBay listing files: File Exchange, upload templates and Seller Hub reports.',
    },
  ]
}

export const isShippedTemplate = (id: string): boolean => alternativesById.has(id)

/** The mapping of a template that comes with the product; undefined where the id is of no such one. */
export function shippedMapping(id: string): ImportMapping | undefined {
  const alternatives = alternativesById.get(id)
  return alternatives && firstOf(alternatives)
}

/** The id of the template for a file that is recognized by its columns: eBay's, or our own standard CSV. */
export function shippedTemplateFor(header: readonly string[]): string | undefined {
  if (isEbayHeader(header)) return EBAY_ID
  return requiredImportFields.every((field) => findColumn(header, field) !== -1) ? STANDARD_ID : undefined
}

/**
 * The mapping for this file. A shipped template lists several possible headers per field: the one in the file is
 * used. Fields without a column are dropped, except required ones, so that the seller is asked for them. Any other
 * mapping is returned unchanged.
 */
export function fitMapping(
  header: readonly string[],
  mapping: ImportMapping,
  defaults: ImportDefaults = {},
): ImportMapping {
  const alternatives = alternativesOf(mapping)
  if (!alternatives) return mapping
  const fitted: ImportMapping = {}
  for (const field of importFields) {
    const names = alternatives[field] ?? []
    const found = header[names.map((name) => findColumn(header, name)).find((at) => at !== -1) ?? -1]
    const needed = requiredImportFields.includes(field) && !defaults[field]?.trim()
    const name = found ?? (needed ? names[0] : undefined)
    if (name !== undefined) fitted[field] = name
  }
  return withSplits(fitted, splitsOf(mapping))
}

/** An import stores its mapping, not its template, so a shipped template is recognized by its content. */
function alternativesOf(mapping: ImportMapping): Alternatives | undefined {
  return [...alternativesById.values()].find((alternatives) => {
    const shipped = firstOf(alternatives)
    return importFields.every((field) => shipped[field] === mapping[field])
  })
}

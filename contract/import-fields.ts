/**
 * The fields a file's columns are mapped to, and the rule that suggests a mapping from the headers (spec 2, sections 3
 * and 5). Pure, for the page that maps and for the server that checks.
 */

/**
 * In the order in which they are shown; the first fifteen are the spec's. The last says which listing of its seller a row
 * is, as our own export has it: it is no value of a part, so it counts in no comparison of rows.
 */
export const importFields = [
  'imageUrl',
  'partname',
  'partdescription',
  'partcategory',
  'partmanu',
  'partmodel',
  'partyear',
  'partgrade',
  'partnum',
  'partprice',
  'partshipping',
  'partcity',
  'partstate',
  'dealername',
  'dealerphone',
  'stocknum',
  'partquantity',
  'partmiles',
  'zipcode',
  'parttrim',
  'vin',
  'h1',
  'listingid',
] as const
export type ImportField = (typeof importFields)[number]

/** The names that sentences and pickers use. */
export const importFieldLabels: Record<ImportField, string> = {
  imageUrl: 'Picture address',
  partname: 'Part name',
  partdescription: 'Description',
  partcategory: 'Category',
  partmanu: 'Manufacturer',
  partmodel: 'Model',
  partyear: 'Year',
  partgrade: 'Grade',
  partnum: 'Part number',
  partprice: 'Price',
  partshipping: 'Shipping',
  partcity: 'City',
  partstate: 'State',
  dealername: 'Dealer',
  dealerphone: 'Phone',
  stocknum: 'Stock number',
  partquantity: 'Quantity',
  partmiles: 'Miles',
  zipcode: 'Zipcode',
  parttrim: 'Trim',
  vin: 'VIN',
  h1: 'Heading',
  listingid: 'Listing id',
}

/** What a row must have once the defaults are in. */
export const requiredImportFields: readonly ImportField[] = [
  'partname',
  'partcategory',
  'partmanu',
  'partmodel',
  'partyear',
  'partprice',
]

/** Other names under which a mapping or a set of defaults may call a field. */
const otherNames: Record<string, ImportField> = {
  miles: 'partmiles',
  trim: 'parttrim',
  VIN: 'vin',
  zip: 'zipcode',
  quantity: 'partquantity',
  partmanuname: 'partmanu',
}

/** The field behind a name, or undefined where there is none. */
export function importField(name: string): ImportField | undefined {
  if ((importFields as readonly string[]).includes(name)) return name as ImportField
  // Own names only: every object also answers to "constructor" and "__proto__".
  return Object.hasOwn(otherNames, name) ? otherNames[name] : undefined
}

/** Target field → header of the file. */
export type ImportMapping = Partial<Record<ImportField, string>>
/** Target field → value for rows that have none. */
export type ImportDefaults = Partial<Record<ImportField, string>>

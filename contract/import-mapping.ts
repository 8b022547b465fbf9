import { findColumn } from './csv-header.ts'
import { type ImportField, type ImportMapping, importFieldLabels, importFields } from './import-fields.ts'

/**
 * Suggests which column of a file is which field, from the headers alone (spec 2, section 5: a header matches a field by
 * substring; partdescription also by "desc", dealerphone also by "phone" or "tel"). A suggestion only: people confirm it.
 */
export type Suggestion = {
  header: string
  /** A name of the field, as a whole; else only a part of the header matches, which deserves a look. */
  sure: boolean
}

/** Names that yard systems and spreadsheets give a field, besides its own and its label. */
const wholeNames: Partial<Record<ImportField, readonly string[]>> = {
  imageUrl: ['image', 'images', 'imagelink', 'photo', 'photourl', 'photos', 'picture', 'pictureurl'],
  partname: ['part', 'name', 'title', 'parttype', 'partstype'],
  partdescription: ['desc', 'longdescription', 'notes', 'comments', 'details'],
  partcategory: ['partgroup', 'group', 'cat', 'parttype', 'partstype'],
  partmanu: ['make', 'vehiclemake', 'carmake', 'partmanuname', 'manu', 'mfr'],
  partmodel: ['vehiclemodel', 'carmodel'],
  partyear: ['modelyear', 'vehicleyear', 'yearfrom', 'yr'],
  partgrade: ['condition', 'cond', 'quality'],
  partnum: [
    'partno',
    'oem',
    'oemnum',
    'oemnumber',
    'oemno',
    'oempartno',
    'oempartnum',
    'oempartnumber',
    'interchange',
    'interchangenumber',
    'mpn',
  ],
  partprice: ['retail', 'retailprice', 'saleprice', 'sellprice', 'listprice'],
  partshipping: ['shippingcost', 'freight', 'delivery'],
  partcity: ['town', 'yardcity'],
  partstate: ['st', 'yardstate', 'province', 'region'],
  dealername: ['seller', 'sellername', 'yard', 'yardname', 'company', 'vendor'],
  dealerphone: ['tel', 'telephone', 'phonenumber', 'phoneno'],
  stocknum: ['stock', 'stockno', 'sku', 'tag', 'tagnumber', 'inventorynumber', 'inventoryid'],
  partquantity: ['qty', 'onhand'],
  partmiles: ['mileage', 'odometer'],
  zipcode: ['zip', 'postalcode', 'postcode'],
  parttrim: ['trimlevel', 'submodel'],
  vin: ['vinnumber', 'vehicleidentificationnumber'],
  h1: ['pageheading'],
}

/** What the field of a header is looked for by, when nothing matches as a whole. */
const partialNames: Partial<Record<ImportField, readonly string[]>> = {
  imageUrl: ['image', 'photo', 'picture'],
  partname: ['title'],
  partdescription: ['desc'],
  partcategory: ['category'],
  partmanu: ['manufacturer', 'make'],
  partmodel: ['model'],
  partyear: ['year'],
  partgrade: ['grade', 'condition'],
  partnum: ['partnumber', 'partno', 'oem'],
  partprice: ['price'],
  partshipping: ['shipping', 'freight'],
  partcity: ['city'],
  partstate: ['state'],
  dealername: ['dealer', 'seller'],
  dealerphone: ['phone', 'tel'],
  stocknum: ['stock'],
  partquantity: ['quantity', 'qty'],
  partmiles: ['mileage', 'miles', 'odometer'],
  zipcode: ['postal'],
  parttrim: ['trim'],
}

/** Letters and digits alone, in small letters; "Part #" is "partnum". */
function plainHeader(header: string): string {
  return header
    .normalize('NFKD')
    .replace(/#|№/g, 'num')
    .replace(/[^\p{L}\p{N}]/gu, '')
    .toLowerCase()
}

const OWN_NAME = 4_000
const LABEL = 3_000
const WHOLE_NAME = 2_000
const PARTIAL = 0

/** How well a header answers a field: kinds of match stand a thousand apart, longer partial matches higher. */
function score(field: ImportField, header: string): number | undefined {
  const own = field.toLowerCase()
  const label = plainHeader(importFieldLabels[field])
  if (header === own) return OWN_NAME
  if (header === label) return LABEL
  if (wholeNames[field]?.includes(header)) return WHOLE_NAME
  // Two letters stand in many words: a "width 1" is no h1.
  const found = [own, label, ...(partialNames[field] ?? [])].filter(
    (name) => name.length > 2 && header.includes(name),
  )
  return found.length === 0 ? undefined : PARTIAL + Math.max(...found.map((name) => name.length))
}

type Match = { field: ImportField; header: string; score: number; column: number }

/** Best first; of equal ones the longer rest of the header loses, then the later column, then the later field. */
const byMerit = (one: Match, other: Match) =>
  other.score - one.score ||
  plainHeader(one.header).length - plainHeader(other.header).length ||
  one.column - other.column ||
  importFields.indexOf(one.field) - importFields.indexOf(other.field)

/** One column a field and one field a column, the best match first; the same headers always give the same. */
export function suggestMapping(headers: readonly string[]): Partial<Record<ImportField, Suggestion>> {
  const matches = headers.flatMap((header, column) => {
    const plain = plainHeader(header)
    return importFields.flatMap((field): Match[] => {
      const found = plain === '' ? undefined : score(field, plain)
      return found === undefined ? [] : [{ field, header, column, score: found }]
    })
  })
  const taken = new Set<number>()
  const suggested: Partial<Record<ImportField, Suggestion>> = {}
  for (const { field, header, column, score } of matches.toSorted(byMerit)) {
    if (suggested[field] !== undefined || taken.has(column)) continue
    suggested[field] = { header, sure: score >= WHOLE_NAME }
    taken.add(column)
  }
  return suggested
}

/** The fields of a mapping whose column the file does not have, with that column's name. */
export function missingColumns(
  mapping: ImportMapping,
  headers: readonly string[],
): { field: ImportField; header: string }[] {
  return importFields.flatMap((field) => {
    const header = mapping[field]
    return header === undefined || findColumn(headers, header) !== -1 ? [] : [{ field, header }]
  })
}

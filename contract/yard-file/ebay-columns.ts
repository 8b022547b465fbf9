import { nameColumns } from '#contract/csv/csv-header.ts'

/*
 * The columns of eBay's listing files: File Exchange ("*Action(SiteID=eBayMotors…)", "CustomLabel", "*StartPrice"), the
 * upload templates of Seller Hub ("Custom label (SKU)", "Start price") and its report of active listings.
 */

/** The columns that are read from an eBay file, with their names in plain letters, best first. */
const columnNames = {
  action: ['action'],
  item: ['itemid', 'itemnumber', 'ebayitemnumber'],
  sku: ['customlabelsku', 'customlabel', 'sku'],
  title: ['title'],
  relationship: ['relationship'],
  details: ['relationshipdetails'],
  condition: ['conditionid', 'condition'],
  description: ['description'],
  picture: ['itemphotourl', 'picurl', 'pictureurl'],
  type: ['ctype', 'cparttype'],
  category: ['categoryname', 'ebaycategory1name', 'category'],
  make: ['cmake', 'cvehiclemake'],
  model: ['cmodel', 'cvehiclemodel'],
  year: ['cyear', 'cvehicleyear'],
} as const
export type EbayColumn = keyof typeof columnNames
const ebayColumnNames = Object.keys(columnNames) as EbayColumn[]

/** Columns that are added after the file's own when its rows are folded; mappings and templates use these names. */
export const ebayAddedColumns = [
  /** The make of the first vehicle that the part fits. */
  'Fitment make',
  'Fitment model',
  /** Its years, "2012-2015" if they are consecutive. */
  'Fitment year',
  'Fitment trim',
  /** Every vehicle, as our own files have them: "2012-2015 Ford F-150 (trim: XLT); 2014 Lincoln Navigator". */
  'Fitment',
  /** A-D, from “Condition ID” or “Condition”. */
  'Grade from condition',
  /** eBay's “Type” of the part, else the last step of its category's path; blank if the category is a number. */
  'Part type',
  /** eBay's list of addresses, as our own files have it. */
  'Pictures',
  /** eBay's descriptions are HTML. */
  'Description as text',
] as const

const ACTION = /^\*?action\s*\(\s*siteid\s*=/i

/** "*C:Manufacturer Part Number" is "cmanufacturerpartnumber"; the parentheses after “Action” are about the file. */
const plain = (name: string) =>
  name
    .replace(/^(\*?action)\s*\(.*$/i, '$1')
    .replace(/[^a-z0-9]/gi, '')
    .toLowerCase()

// Names that no yard system uses; three of them mean an eBay file, even if "Action(…)" was cut off.
const TELLING =
  /^(customlabelsku|customlabel|startprice|conditionid|relationshipdetails|itemphotourl|picurl|variationdetails|ebaycategory1name|buyitnowprice|availablequantity|pepid|productepid|listingsite|dispatchtimemax|shippingprofilename)$/

/** Whether a header is that of an eBay listing file. */
export function isEbayHeader(header: readonly string[]): boolean {
  if (header.some((name) => ACTION.test(name.trim()))) return true
  return header.filter((name) => TELLING.test(plain(name)) || /^\*?C:/.test(name.trim())).length >= 3
}

/** The positions of the columns that eBay's rules use, by the first of their names that the file has. */
export function findEbayColumns(header: readonly string[]): ReadonlyMap<EbayColumn, number> {
  const names = header.map(plain)
  return new Map(
    ebayColumnNames.flatMap((column): [EbayColumn, number][] => {
      const at = columnNames[column].map((name) => names.indexOf(name)).find((place) => place !== -1)
      return at === undefined ? [] : [[column, at]]
    }),
  )
}

/** The file's header followed by our columns, all names unique. */
export const ebayHeader = (header: readonly string[]): string[] =>
  nameColumns([...header, ...ebayAddedColumns])

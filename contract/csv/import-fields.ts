import {
  type FileField,
  type FileName,
  fileFields,
  fileNameOf,
  inOrder,
  specOf,
} from '#contract/listing/listing-fields.ts'
import { findColumn } from './csv-header.ts'

/**
 * The fields a file's columns are mapped to, and the rule that suggests a mapping from the headers (spec 2, sections 3
 * and 5). Pure, for the page that maps and for the server that checks.
 */

/** What a column may be called besides its field's own name, as a whole, and words to look for in its name. */
type FileWords = { label: string; names: readonly string[]; words: readonly string[] }

/**
 * Columns of a file that are no text of a listing: its picture, and which listing of its seller a row is, as our own
 * export has it. That id is no value of a part, so it counts in no comparison of rows.
 */
const otherColumns = {
  imageUrl: {
    label: 'Picture address',
    names: [
      'image',
      'images',
      'imagelink',
      'photo',
      'photourl',
      'photos',
      'picture',
      'pictureurl',
      'picurl',
      'itemphotourl',
    ],
    words: ['image', 'photo', 'picture'],
  },
  listingid: { label: 'Listing id', names: [], words: [] },
} as const satisfies Record<string, FileWords>

export type ImportField = FileName | keyof typeof otherColumns

/** The first fifteen are the spec's, and files that were exported have the others; a field that is new comes behind them. */
const shownFirst: readonly ImportField[] = [
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
]

/** In the order in which they are shown. */
export const importFields: readonly ImportField[] = inOrder<ImportField>(shownFirst, [
  'imageUrl',
  ...fileFields.map(fileNameOf),
  'listingid',
])

const wordsIn = (text = '') => text.split(' ').filter(Boolean)

const wordsOf = (field: FileField): FileWords => {
  const { label, file } = specOf(field)
  return { label: file?.label ?? label, names: wordsIn(file?.names), words: wordsIn(file?.words) }
}

export const fileWords = Object.fromEntries([
  ...fileFields.map((field) => [fileNameOf(field), wordsOf(field)]),
  ...Object.entries(otherColumns),
]) as Record<ImportField, FileWords>

/** The names that sentences and pickers use. */
export const importFieldLabels = Object.fromEntries(
  importFields.map((field) => [field, fileWords[field].label]),
) as Record<ImportField, string>

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
const otherNames: Readonly<Record<string, ImportField>> = Object.fromEntries(
  fileFields.flatMap((field) => (specOf(field).file?.also ?? []).map((name) => [name, fileNameOf(field)])),
)

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

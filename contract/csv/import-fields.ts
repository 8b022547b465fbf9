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
 * The fields that a file's columns map to (spec 2, sections 3 and 5). Runs in server and browser.
 */

/** Whole names a column may have besides its field's own, and words to look for in its name. */
type FileWords = { label: string; names: readonly string[]; words: readonly string[] }

/**
 * Columns that are not text fields of a listing: its picture, and the listing id that our own export writes. The id is
 * not part data, so comparing rows ignores it.
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
      'imagesrc',
      'imageurl1',
      'image1',
      'photo1',
      'photourl1',
      'picture1',
      'pictureurl1',
      'mainimage',
      'mainphoto',
      'primaryimage',
      'featuredimage',
      'foto',
      'fotos',
      'fotourl',
      'imagen',
      'imagenes',
      'bild',
      'bilder',
      'bildurl',
    ],
    words: ['image', 'photo', 'picture'],
  },
  listingid: { label: 'Listing id', names: [], words: [] },
} as const satisfies Record<string, FileWords>

export type ImportField = FileName | keyof typeof otherColumns

/** The spec's fifteen first, then those of existing exports; new fields follow. */
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

/** In display order. */
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

/** The names that messages and pickers use. */
export const importFieldLabels = Object.fromEntries(
  importFields.map((field) => [field, fileWords[field].label]),
) as Record<ImportField, string>

/** What a row must have after the defaults are applied. */
export const requiredImportFields: readonly ImportField[] = [
  'partname',
  'partcategory',
  'partmanu',
  'partmodel',
  'partyear',
  'partprice',
]

/** Other names that a mapping or a set of defaults may use for a field. */
const otherNames: Readonly<Record<string, ImportField>> = Object.fromEntries(
  fileFields.flatMap((field) => (specOf(field).file?.also ?? []).map((name) => [name, fileNameOf(field)])),
)

/** The field with this name, or undefined. */
export function importField(name: string): ImportField | undefined {
  if ((importFields as readonly string[]).includes(name)) return name as ImportField
  // Own keys only: every object also has "constructor" and "__proto__".
  return Object.hasOwn(otherNames, name) ? otherNames[name] : undefined
}

/** Target field → header of the file. */
export type ImportMapping = Partial<Record<ImportField, string>>
/** Target field → value for rows without one. */
export type ImportDefaults = Partial<Record<ImportField, string>>

/** The mapped fields whose column is missing from the file, with that column's name. */
export function missingColumns(
  mapping: ImportMapping,
  headers: readonly string[],
): { field: ImportField; header: string }[] {
  return importFields.flatMap((field) => {
    const header = mapping[field]
    return header === undefined || findColumn(headers, header) !== -1 ? [] : [{ field, header }]
  })
}

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
 * The fields that a file's columns map to. Runs in server and browser.
 */

/** Whole names a column may have besides its field's own, and words to look for in its name. */
type FileWords = { label: string; names: readonly string[]; words: readonly string[] }

/**
 * Columns that are not text fields of a listing: its picture, its side, which becomes a part of its name, and the listing id
 * that our own export writes. The id is not part data, so comparing rows ignores it.
 */
const otherColumns = {
  imageUrl: {
    label: 'Picture address',
    names: [
      'image',
      'images',
      'attachments',
      'imagelink',
      'photo',
      'photourl',
      'photos',
      'picture',
      'pictureurl',
      'picurl',
      'pic',
      'pics',
      'photolink',
      'picturelink',
      'baseimage',
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
  partside: {
    label: 'Side or position',
    names: [
      'side',
      'sides',
      'lr',
      'leftright',
      'rightleft',
      'lhrh',
      'rhlh',
      'position',
      'pos',
      'location',
      'loc',
      'sideposition',
      'positionside',
      'partposition',
      'vehicleside',
      'vehicleposition',
      'sideofvehicle',
      'locationonvehicle',
      'placement',
      'placementonvehicle',
      'cplacementonvehicle',
      'lado',
      'lato',
      'posizione',
      'posicion',
      'ubicacion',
      'seite',
      'einbauort',
      'einbauposition',
      'cote',
    ],
    words: ['placementonvehicle', 'side', 'position'],
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
  'partside',
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
  'partside',
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

/** What a row must have after the defaults are applied. The category follows from the part's name where it is missing. */
export const requiredImportFields: readonly ImportField[] = [
  'partname',
  'partmanu',
  'partmodel',
  'partyear',
  'partprice',
]

/** Fields that a part of a universal category, such as a tire, does not need. */
export const vehicleImportFields: ReadonlySet<ImportField> = new Set<ImportField>([
  'partmanu',
  'partmodel',
  'partyear',
])

/** The fields of every row in a price list. */
export const priceListFields: readonly ImportField[] = ['stocknum', 'partprice']
const priceListColumns = new Set<string>([...priceListFields, 'partquantity'])

/**
 * Whether a file has stock numbers and prices (and quantities) alone: it changes known parts, and neither creates nor ends
 * any.
 */
export function isPriceList(mapping: ImportMapping, defaults: ImportDefaults): boolean {
  const { split, ...fields } = mapping
  const isWhole = requiredImportFields.every((field) => field in fields || defaults[field])
  return (
    split === undefined &&
    !isWhole &&
    priceListFields.every((field) => field in fields) &&
    Object.keys(fields).every((field) => priceListColumns.has(field))
  )
}

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

/**
 * How a column with several fields in it is split: a vehicle ("07 CAMRY"), a whole title ("2004-2008 Ford F-150 Front Door
 * LH"), or years in any spelling ("2008,2009,2010", "2017+", "05").
 */
export const splitKinds = ['vehicle', 'title', 'priced title', 'years'] as const
export type ColumnSplit = { from: string; as: (typeof splitKinds)[number] }

const titleFields: readonly ImportField[] = [
  'partyear',
  'partmanu',
  'partmodel',
  'parttrim',
  'partname',
  'partcategory',
]
/** The fields that a split fills. A mapped column or fixed value takes precedence, unless it is the same column. */
export const splitFields: Record<ColumnSplit['as'], readonly ImportField[]> = {
  vehicle: ['partyear', 'partmanu', 'partmodel', 'parttrim'],
  title: titleFields,
  'priced title': [...titleFields, 'partprice'],
  years: ['partyear'],
}

/** Target field → header of the file; and the columns to split. */
export type ImportMapping = Partial<Record<ImportField, string>> & {
  split?: ColumnSplit | readonly ColumnSplit[]
}

export function splitsOf({ split }: ImportMapping): readonly ColumnSplit[] {
  if (split === undefined) return []
  return 'from' in split ? [split] : split
}

/** A single split is stored as is, several as a list. */
export function withSplits(mapping: ImportMapping, splits: readonly ColumnSplit[]): ImportMapping {
  const { split: _, ...fields } = mapping
  const [first, ...others] = splits
  return first === undefined ? fields : { ...fields, split: others.length > 0 ? splits : first }
}

/** Whether the field has a column of its own or comes from one that is split. */
export const isMapped = (mapping: ImportMapping, field: ImportField): boolean =>
  mapping[field] !== undefined || splitsOf(mapping).some(({ as }) => splitFields[as].includes(field))

/** The empty fields that a row's VIN fills in. */
export const vinFields = [
  'partyear',
  'partmanu',
  'partmodel',
  'parttrim',
  'bodystyle',
] as const satisfies ImportField[]

export const isFilledByVin = (mapping: ImportMapping, field: ImportField): boolean =>
  mapping.vin !== undefined && (vinFields as readonly ImportField[]).includes(field)

/** Whether a file without a column for the field can still have it: by its VINs, or the make by its models. */
export const isFilledByOthers = (mapping: ImportMapping, field: ImportField): boolean =>
  isFilledByVin(mapping, field) || (field === 'partmanu' && mapping.partmodel !== undefined)

/** The headers that the mapping uses. */
export const mappedHeaders = (mapping: ImportMapping): string[] => [
  ...importFields.flatMap((field) => mapping[field] ?? []),
  ...splitsOf(mapping).map(({ from }) => from),
]

// A vehicle and its years in two columns, and one to spare.
const MOST_SPLITS = 3

/** Splits as sent, or what is wrong with them as a sentence. */
export function readSplits(sent: unknown): readonly ColumnSplit[] | string {
  if (sent === undefined || sent === null || sent === '') return []
  const list: readonly unknown[] = Array.isArray(sent) ? sent : [sent]
  if (list.length > MOST_SPLITS) return `The mapping splits more than ${MOST_SPLITS} columns`
  const splits: ColumnSplit[] = []
  for (const one of list) {
    const { from, as } = (typeof one === 'object' && one !== null ? one : {}) as Partial<
      Record<string, unknown>
    >
    const kind = splitKinds.find((name) => name === as)
    if (typeof from !== 'string' || from.trim() === '' || from.length > 500 || !kind) {
      return `A split of the mapping is {"from": column, "as": ${splitKinds.map((name) => `"${name}"`).join(' or ')}}`
    }
    splits.push({ from: from.trim(), as: kind })
  }
  return splits
}
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

const NOUN = 'images?|img|photos?|pictures?|pics?|fotos?|imagen(?:es)?|bild(?:er)?'
const PICTURES = new RegExp(
  `^(?:additional|more|other|extra|further|main|primary|featured|item|part|product)?(?:${NOUN})(?:urls?|links?|src|address|addresses)?$`,
)

const lettersOf = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')

/**
 * The columns with further pictures, in file order: "Image 2" and "Additional photos", and columns that differ from
 * the mapped one only in a number. Columns mapped to other fields are excluded. Only cells that begin with a URL
 * count.
 */
export function furtherPictureColumns(header: readonly string[], mapping: ImportMapping): string[] {
  const { imageUrl } = mapping
  if (imageUrl === undefined) return []
  const used = new Set(mappedHeaders(mapping).map((name) => findColumn(header, name)))
  const own = lettersOf(imageUrl)
  return header.filter((name, at) => {
    const letters = lettersOf(name)
    const isNumbered = letters === own && letters !== '' && !/^column \d+$/i.test(name)
    return !used.has(at) && (isNumbered || PICTURES.test(letters))
  })
}

import { type ImportMapping, mappedHeaders } from '#contract/csv/import-fields.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'

type StockFile = Pick<ImportFile, 'sheets' | 'notes'> & {
  reading: { sheet?: string | undefined; sheets?: readonly string[] | undefined }
  /** The sheets of a workbook that have the same columns; by default all. */
  together?: readonly string[] | undefined
}
type Stock = { file: StockFile; mapping: ImportMapping }

/** What the reader says of a workbook that a filter is on. */
const FILTERED = /\bhidden rows? (?:is|are) read\b/

/** A file with these columns alone changes prices of known parts. */
const PRICE_LIST = ['stocknum', 'partprice', 'partquantity', 'listingid'] as const

/** Why a file can't be taken for all of a yard's stock, as a sentence; undefined if it may be all. */
export function partOfStock({ file, mapping }: Stock): string | undefined {
  const { notes, reading } = file
  const alike = file.together ?? file.sheets
  const read = reading.sheets ?? (reading.sheet === undefined ? [] : [reading.sheet])
  if (read.length > 0 && alike.length > read.length) {
    return `Only ${read.length} of ${alike.length} sheets ${read.length === 1 ? 'is' : 'are'} read, so your other parts stay.`
  }
  if (notes.some((note) => FILTERED.test(note))) {
    return 'Rows of this workbook are filtered, so your other parts stay.'
  }
  const { split, ...fields } = mapping
  const isPriceList =
    split === undefined &&
    mappedHeaders(mapping).length > 0 &&
    Object.keys(fields).every((field) => PRICE_LIST.some((one) => one === field))
  return isPriceList ? 'This file has prices only, so your other parts stay.' : undefined
}

import { type ImportMapping, mappedHeaders } from '#contract/csv/import-fields.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'

type Stock = { file: Pick<ImportFile, 'sheets' | 'reading'>; mapping: ImportMapping }

/** A file with these columns alone changes prices of known parts. */
const PRICE_LIST = ['stocknum', 'partprice', 'partquantity', 'listingid'] as const

/** Why a file can't be taken for all of a yard's stock, as a sentence; undefined if it may be all. */
export function partOfStock({ file, mapping }: Stock): string | undefined {
  const { sheets, reading } = file
  if (sheets.length > 1 && reading.sheet !== undefined) {
    return `Only the sheet “${reading.sheet}” is read, so your other parts stay.`
  }
  const { split, ...fields } = mapping
  const isPriceList =
    split === undefined &&
    mappedHeaders(mapping).length > 0 &&
    Object.keys(fields).every((field) => PRICE_LIST.some((one) => one === field))
  return isPriceList ? 'This file has prices only, so your other parts stay.' : undefined
}

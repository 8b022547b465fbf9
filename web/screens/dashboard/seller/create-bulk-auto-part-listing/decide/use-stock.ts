import { useState } from 'react'
import { type ImportMapping, mappedHeaders } from '#contract/csv/import-fields.ts'
import { useRecentImports } from '#web/components/imports/import-actions.tsx'
import type { KnownShape } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/use-columns.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'

type Input = { file: ImportFile | undefined; columns: { mapping: ImportMapping }; shape: KnownShape }

/** Whether a file is all of the yard's stock: asked at its second one, and remembered for files with the same columns. */
export function useStock({ file, columns, shape }: Input) {
  const [answered, setAnswered] = useState<File>()
  const { data: imports } = useRecentImports(1)
  const earlier =
    imports?.items.filter(({ state }) => state === 'applied' || state === 'applying').length ?? 0
  const part = file && partOfStock({ file, mapping: columns.mapping })
  // The first file of a yard adds its parts without anyone saying so.
  const isSaid = shape.mode === 'replace' || (shape.mode === 'add' && earlier > 1)
  const isAsked = file !== undefined && part === undefined && earlier > 0 && !isSaid
  return {
    /** Why the file can't be all of the stock. */
    part,
    asks: isAsked && answered !== file.file,
    /** How the yard's files with these columns are imported. */
    mode: part === undefined && isSaid ? shape.mode : undefined,
    answered: (): void => setAnswered(file?.file),
  }
}

type StockFile = Pick<ImportFile, 'sheets' | 'notes'> & {
  reading: { sheet?: string | undefined; sheets?: readonly string[] | undefined }
  /** The sheets of a workbook that have the same columns; by default all. */
  together?: readonly string[] | undefined
}
type Stock = { file: StockFile; mapping: ImportMapping }

/** The note about a workbook with an active filter. */
const FILTERED = /\bhidden rows? (?:is|are) read\b/

/** A file with these columns alone changes prices of known parts. */
const PRICE_LIST = ['stocknum', 'partprice', 'partquantity', 'listingid'] as const

/** A sentence about why a file cannot be a yard's full inventory, or undefined if it can. */
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

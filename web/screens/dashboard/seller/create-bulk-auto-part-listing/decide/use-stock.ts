import { useState } from 'react'
import type { ImportMapping } from '#contract/csv/import-fields.ts'
import { useRecentImports } from '#web/components/imports/import-actions.tsx'
import type { KnownShape } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/mapping/use-columns.ts'
import type { ImportFile } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import { partOfStock } from './part-of-stock.ts'

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

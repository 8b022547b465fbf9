import { importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import { ExportButton } from './export-button.tsx'

type ExportOwnPartsProps = { place?: 'top-right' | 'top-center' }

/** Everything that the seller has on sale, as a file that the import takes back. */
export function ExportOwnParts({ place = 'top-right' }: ExportOwnPartsProps) {
  return <ExportButton read={() => call(importEndpoints.exportParts)} place={place} />
}

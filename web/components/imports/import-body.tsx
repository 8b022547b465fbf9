import { VisuallyHidden } from '@mantine/core'
import type { ImportRecord } from '#contract/imports.ts'
import { ImportStages } from './import-stages.tsx'
import { ImportState } from './import-state.tsx'
import { stateWords } from './import-words.ts'
import { RejectedRows } from './rejected-rows.tsx'

type ImportBodyProps = { record: ImportRecord; seenAtMs: number }

/** Where an import stands, what it is doing or did, and the rows that it left out; for its page and for the wizard. */
export function ImportBody({ record, seenAtMs }: ImportBodyProps) {
  const { plan, rejected } = record
  return (
    <>
      {/* Says a change of state once; how far it is says the progress itself, in tenths. */}
      <VisuallyHidden role="status">This import: {stateWords(record).label}</VisuallyHidden>
      <ImportStages record={record} />
      <ImportState record={record} seenAtMs={seenAtMs} />
      {(plan?.rejected ?? rejected ?? 0) > 0 && <RejectedRows record={record} />}
    </>
  )
}

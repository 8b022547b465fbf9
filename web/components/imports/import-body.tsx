import { VisuallyHidden } from '@mantine/core'
import type { ImportRecord } from '#contract/imports.ts'
import { ImportStages } from './import-stages.tsx'
import { ImportState } from './import-state.tsx'
import { stateWords } from './import-words.ts'
import { RejectedRows } from './rejected-rows.tsx'
import { rejectedCount } from './rejected-rows-button.tsx'
import { StagedCard } from './staged-card.tsx'

type ImportBodyProps = { record: ImportRecord; seenAtMs: number }

/** Where an import stands, what it is doing or did, the rows that it left out, and its files; for its page and for the wizard. */
export function ImportBody({ record, seenAtMs }: ImportBodyProps) {
  return (
    <>
      {/* Says a change of state once; how far it is says the progress itself, in tenths. */}
      <VisuallyHidden role="status">This import: {stateWords(record).label}</VisuallyHidden>
      <ImportStages record={record} />
      <ImportState record={record} seenAtMs={seenAtMs} />
      {rejectedCount(record) > 0 && <RejectedRows record={record} />}
      <StagedCard record={record} />
    </>
  )
}

import { Badge } from '@mantine/core'
import type { ImportRecord } from '#contract/imports.ts'
import { stateWords } from './import-words.ts'

export function ImportBadge({ record }: { record: Pick<ImportRecord, 'state' | 'canConfirm'> }) {
  const { label, color } = stateWords(record)
  return (
    <Badge color={color} style={{ flex: 'none' }}>
      {label}
    </Badge>
  )
}

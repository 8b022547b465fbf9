import { Group, Text } from '@mantine/core'
import type { ImportRecord } from '#contract/imports.ts'
import { rowsInWords } from './import-words.ts'
import { RejectedRowsButton, rejectedCount } from './rejected-rows-button.tsx'
import { StateCard } from './state-card.tsx'

/** Rows that were not taken, as a file to correct and send again. */
export function RejectedRows({ record }: { record: ImportRecord }) {
  const count = rejectedCount(record)
  return (
    <StateCard title={`${rowsInWords(count)} ${count === 1 ? 'was' : 'were'} left out`} busy={false}>
      <Text>
        The file has them as you sent them, each with what is wrong. Correct the cells, then import that file:
        its columns match as before.
      </Text>
      <Group>
        <RejectedRowsButton record={record}>
          Download {count === 1 ? 'the row' : 'the rows'} (.csv)
        </RejectedRowsButton>
      </Group>
    </StateCard>
  )
}

import { Button, Group, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ImportRecord, importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import { saveFile } from '#web/components/save-file.ts'
import { notifyError } from '#web/components/toasts.tsx'
import { rowsInWords } from './import-words.ts'
import { StateCard } from './state-card.tsx'

/** Rows that were not taken, as a file to correct and send again. */
export function RejectedRows({ record }: { record: ImportRecord }) {
  const { id, fileName, plan, rejected } = record
  const count = plan?.rejected ?? rejected ?? 0
  const download = useMutation({
    mutationFn: () => call(importEndpoints.readRejectedRows, { params: { id } }),
    onSuccess: (file) => saveFile(file, `${fileName.replace(/\.csv(\.gz)?$/i, '') || 'import'}-rejected.csv`),
    onError: (error) => notifyError(error, 'The rows could not be downloaded'),
  })
  return (
    <StateCard title={`${rowsInWords(count)} ${count === 1 ? 'was' : 'were'} left out`} busy={false}>
      <Text>
        The file has them as you sent them, each with what is wrong. Correct the cells, then import that file:
        its columns match as before.
      </Text>
      <Group>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} aria-hidden />}
          onClick={() => download.mutate()}
          loading={download.isPending}
        >
          Download {count === 1 ? 'the row' : 'the rows'} (.csv)
        </Button>
      </Group>
    </StateCard>
  )
}

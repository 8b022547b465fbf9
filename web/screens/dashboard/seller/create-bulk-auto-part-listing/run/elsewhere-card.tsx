import { Card, Group, Progress, Stack, Text, Title } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import { Spinner } from '#web/components/page/waiting.tsx'
import type { RunElsewhere } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import { WaitingFor } from './upload-card.tsx'

/** Another tab sends: this one shows how far that is, and sends nothing beside it. */
export function ElsewhereCard({ run }: { run: RunElsewhere | undefined }) {
  const title = run?.dryRun ? 'A file is being checked in another tab' : 'A file is being sent in another tab'
  return (
    <Card component="section" aria-label={title}>
      <Stack gap="sm">
        <Group gap="sm" wrap="nowrap">
          <Spinner size={32} />
          <Title order={2} size="h3">
            {title}
          </Title>
        </Group>
        {run && (
          <>
            <Progress
              value={Math.floor((run.rows / Math.max(1, run.records)) * 100)}
              color="sea"
              size="lg"
              aria-label={run.fileName}
            />
            <Text>
              {run.fileName}: {formatCount(run.rows)} of {rowsInWords(run.records)}
              {run.paused && ', paused'}
            </Text>
            <WaitingFor waitsFor={run.waitsFor} />
          </>
        )}
        <Text size="sm" className="second">
          If that tab is closed before the end, it goes on here.
        </Text>
      </Stack>
    </Card>
  )
}

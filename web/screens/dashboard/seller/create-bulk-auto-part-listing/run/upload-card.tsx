import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { rowsInWords } from '#web/components/imports/import-words.ts'
import { RateProgress } from '#web/components/imports/state-card.tsx'
import type {
  RunOrder,
  RunProgress,
  RunState,
  WaitsFor,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import { ChunkMap } from './chunk-map.tsx'
import type { ImportRun } from './use-import-run.ts'

/** Never 100 while running. The total includes rows that the user left out. */
export const percentSent = ({ file }: RunOrder, { rows }: RunProgress): number =>
  Math.min(99, Math.floor((rows / Math.max(1, file.records)) * 100))

type UploadCardProps = { sending: Extract<RunState, { step: 'sending' }>; run: ImportRun }

/** A running upload: progress, chunks, pause and cancel. */
export function UploadCard({ sending: { order, progress }, run }: UploadCardProps) {
  const { file, dryRun } = order
  const { rows, chunks, atMs, isKept, paused, waitsFor } = progress
  const doing = dryRun ? 'Checking your rows' : 'Uploading your rows'
  const heading = useRef<HTMLHeadingElement>(null)
  // The clicked button is gone, so keyboard users continue from here.
  useEffect(() => heading.current?.focus(), [])
  return (
    <Card component="section" aria-label={doing}>
      <Stack gap="sm">
        <Group justify="space-between">
          <Title order={2} size="h3" ref={heading} tabIndex={-1}>
            {paused ? 'Paused' : `${doing}…`}
          </Title>
          <Group gap="sm">
            <Button variant="default" onClick={() => run.setPaused(!paused)}>
              {paused ? 'Resume' : 'Pause'}
            </Button>
            <Button variant="subtle" color="bad" onClick={run.stop}>
              Cancel
            </Button>
          </Group>
        </Group>
        <RateProgress
          label={doing}
          done={rows}
          total={file.records}
          percent={percentSent(order, progress)}
          inWords={rowsInWords}
          {...{ atMs, paused }}
        />
        {!paused && <WaitingFor waitsFor={waitsFor} />}
        <ChunkMap chunks={chunks} dryRun={dryRun} />
        <Text size="sm" className="second">
          {dryRun && 'This changes nothing. '}
          {isKept
            ? 'If you close this page or lose your connection, open it again to resume.'
            : 'Keep this page open until all rows are uploaded. If the connection drops, choose the same file again to resume.'}
        </Text>
      </Stack>
    </Card>
  )
}

/** Why the upload is waiting. */
export function WaitingFor({ waitsFor }: { waitsFor: WaitsFor }) {
  if (waitsFor === 'nobody') return null
  return (
    <Text c="warning" role="status">
      {waitingWords(waitsFor)}
    </Text>
  )
}

function waitingWords(waitsFor: WaitsFor): string {
  if (waitsFor === 'server') return 'The server is busy or not responding. Trying again…'
  return navigator.onLine
    ? 'The connection was lost. Trying again…'
    : 'You are offline. The upload resumes as soon as you are back online.'
}

import { Button, Card, Group, Progress, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { useEffect, useRef } from 'react'
import { formatCount, rowsInWords, timeInWords } from '#web/components/imports/import-words.ts'
import { useRate } from '#web/components/rate.ts'
import type {
  RunOrder,
  RunProgress,
  WaitsFor,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import { ChunkMap } from './chunk-map.tsx'

type UploadCardProps = {
  order: RunOrder
  progress: RunProgress
  onPause: (paused: boolean) => void
  onCancel: () => void
}

/** Never 100 while running. The total includes rows that the user left out. */
export const percentSent = ({ file }: RunOrder, { rows }: RunProgress): number =>
  Math.min(99, Math.floor((rows / Math.max(1, file.records)) * 100))

/** A running upload: progress, chunks, pause and cancel. */
export function UploadCard({ order, progress, onPause, onCancel }: UploadCardProps) {
  const { file, dryRun } = order
  const { rows, chunks, atMs, isKept, paused, waitsFor } = progress
  const percent = percentSent(order, progress)
  const rate = useRate(rows, atMs)
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
            <Button variant="default" onClick={() => onPause(!paused)}>
              {paused ? 'Resume' : 'Pause'}
            </Button>
            <Button variant="subtle" color="bad" onClick={onCancel}>
              Cancel
            </Button>
          </Group>
        </Group>
        <Progress value={percent} color="sea" size="lg" aria-label={doing} />
        <Group justify="space-between" gap="xs">
          <Text>
            {formatCount(rows)} of {rowsInWords(file.records)}
          </Text>
          <Text className="second">{!paused && paceOf(rate, file.records - rows)}</Text>
        </Group>
        {!paused && <WaitingFor waitsFor={waitsFor} />}
        <ChunkMap chunks={chunks} dryRun={dryRun} />
        <Text size="sm" className="second">
          {dryRun && 'This changes nothing. '}
          {isKept
            ? 'If you close this page or lose your connection, open it again to resume.'
            : 'Keep this page open until all rows are uploaded. If the connection drops, choose the same file again to resume.'}
        </Text>
        {/* Announced every 10%, not for every chunk. */}
        <VisuallyHidden role="status">
          {doing}: {Math.floor(percent / 10) * 10} percent
        </VisuallyHidden>
      </Stack>
    </Card>
  )
}

function paceOf(rate: number | undefined, left: number): string {
  if (rate === undefined || left <= 0) return ''
  return `${formatCount(Math.round(rate))} rows/s · ${timeInWords(left / rate)} left`
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

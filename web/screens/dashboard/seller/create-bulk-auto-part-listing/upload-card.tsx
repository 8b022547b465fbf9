import { Button, Card, Group, Progress, Stack, Text, Title, VisuallyHidden } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { useEffect, useRef } from 'react'
import { formatBytes, formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import type { RunOrder, RunProgress } from './import-run.ts'

type UploadCardProps = {
  order: RunOrder
  progress: RunProgress
  onPause: (paused: boolean) => void
  onCancel: () => void
}

export const percentSent = ({ file }: RunOrder, { rows }: RunProgress): number =>
  Math.floor((rows / file.records) * 100)

/** The file on its way: how far it is, and the way to stop it. */
export function UploadCard({ order, progress, onPause, onCancel }: UploadCardProps) {
  const { file, dryRun } = order
  const { rows, bytes, paused, waiting } = progress
  const percent = percentSent(order, progress)
  const doing = dryRun ? 'Checking your rows' : 'Sending your rows'
  const heading = useRef<HTMLHeadingElement>(null)
  // The button that was pressed is gone; the keyboard goes on from here.
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
              {paused ? 'Go on' : 'Pause'}
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
          <Text className="second">
            {formatBytes(bytes)} of {formatBytes(file.bytes)}
          </Text>
        </Group>
        {waiting && !paused && (
          <Text c="warning">The server is not responding at the moment. Trying again…</Text>
        )}
        <Text size="sm" className="second">
          {dryRun
            ? 'Nothing is written.'
            : 'Keep this page open until all rows are sent. If it is cut off, choose the same file again: it goes on where it stopped.'}
        </Text>
        {/* Spoken at every tenth, not at every chunk. */}
        <VisuallyHidden role="status">
          {doing}: {Math.floor(percent / 10) * 10} percent
        </VisuallyHidden>
      </Stack>
    </Card>
  )
}

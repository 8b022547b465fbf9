import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import type { RunState } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import type { ImportRun } from './use-import-run.ts'

type StoppedCardProps = { stopped: Extract<RunState, { step: 'stopped' }>; run: ImportRun }

/** The person stopped it: what has arrived waits for them to go on, or goes. */
export function StoppedCard({ stopped: { order, progress }, run }: StoppedCardProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const { file } = order
  return (
    <Card component="section" aria-labelledby="stopped">
      <Stack gap="md">
        <div>
          <Title order={2} size="h3" id="stopped" ref={heading} tabIndex={-1}>
            Sending is stopped
          </Title>
          <Text className="second">
            {progress.rows > 0
              ? `${formatCount(progress.rows)} of ${rowsInWords(file.records)} have arrived. `
              : `${file.file.name} was not sent completely. `}
            No listing was changed. What has arrived is kept for 7 days.
          </Text>
        </div>
        <Group gap="sm">
          <Button onClick={() => void run.start(order)}>Go on where it stopped</Button>
          <Button variant="default" onClick={run.withdraw} loading={run.isWithdrawing}>
            Withdraw what was sent
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}

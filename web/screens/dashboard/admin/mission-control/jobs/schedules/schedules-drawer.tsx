import { Button, Drawer, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { JobSchedule, Queue } from '#contract/automation.ts'
import { QuietRetry } from '#web/screens/dashboard/admin/mission-control/quiet-retry.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { ScheduleList } from './schedule-list.tsx'
import { useScheduleChanges, useSchedules } from './use-schedules.ts'

type SchedulesDrawerProps = {
  opened: boolean
  onClose: () => void
  queues: readonly Queue[]
  onChoose: (jobId: string) => void
}

/** Jobs that are enqueued by the clock. */
export function SchedulesDrawer({ opened, onClose, queues, onChoose }: SchedulesDrawerProps) {
  const [edited, setEdited] = useState<JobSchedule | 'new'>()
  const leave = () => setEdited(undefined)
  return (
    <Drawer
      opened={opened}
      onClose={() => {
        leave()
        onClose()
      }}
      position="right"
      size="min(36rem, 100vw)"
      title={titleOf(edited)}
      closeButtonProps={{ 'aria-label': 'Close', size: 'lg' }}
    >
      {edited === undefined ? (
        <Listed
          onEdit={setEdited}
          onChoose={(jobId) => {
            onClose()
            onChoose(jobId)
          }}
        />
      ) : (
        <ScheduleForm schedule={edited === 'new' ? undefined : edited} queues={queues} onDone={leave} />
      )}
    </Drawer>
  )
}

function titleOf(edited: JobSchedule | 'new' | undefined): string {
  if (edited === undefined) return 'Schedules'
  return edited === 'new' ? 'New schedule' : edited.name
}

type ListedProps = { onEdit: (edited: JobSchedule | 'new') => void; onChoose: (jobId: string) => void }

function Listed({ onEdit, onChoose }: ListedProps) {
  const schedules = useSchedules()
  const { data, isError } = schedules
  const changes = useScheduleChanges()
  if (!data && isError) return <QuietRetry query={schedules} fallback="Failed to load" />
  if (!data) return <Skeleton height={200} radius="lg" role="status" aria-label="Loading schedules…" />
  return (
    <Stack gap="md" pb="lg">
      {data.items.length === 0 ? (
        <Text className="second">
          No schedules yet. One enqueues the same job by the clock: every night, or each hour.
        </Text>
      ) : (
        <ScheduleList schedules={data.items} changes={changes} onEdit={onEdit} onChoose={onChoose} />
      )}
      <Button onClick={() => onEdit('new')} style={{ alignSelf: 'flex-start' }}>
        New schedule
      </Button>
    </Stack>
  )
}

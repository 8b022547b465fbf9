import { Anchor, Button, Group, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import type { JobSchedule, Queue } from '#contract/admin/automation.ts'
import { QuietRetry } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import { ScheduleForm } from './schedule-form.tsx'
import { useScheduleChanges, useSchedules } from './use-schedules.ts'
import '@mantine/core/styles/Switch.layer.css'
import { Moment, SideDrawer } from '#web/components/admin/records.tsx'
import { askToConfirm } from '#web/components/confirm.tsx'
import { momentWords } from '#web/components/time-words.ts'
import classes from './schedules.module.css'

type SchedulesDrawerProps = {
  opened: boolean
  onClose: () => void
  queues: readonly Queue[]
  onChoose: (jobId: string) => void
}

export function SchedulesDrawer({ opened, onClose, queues, onChoose }: SchedulesDrawerProps) {
  const [edited, setEdited] = useState<JobSchedule | 'new'>()
  const leave = () => setEdited(undefined)
  return (
    <SideDrawer
      opened={opened}
      onClose={() => {
        leave()
        onClose()
      }}
      title={titleOf(edited)}
      width="36rem"
    >
      {edited === undefined ? (
        <ScheduleList
          onEdit={setEdited}
          onChoose={(jobId) => {
            onClose()
            onChoose(jobId)
          }}
        />
      ) : (
        <ScheduleForm schedule={edited === 'new' ? undefined : edited} queues={queues} onDone={leave} />
      )}
    </SideDrawer>
  )
}

function titleOf(edited: JobSchedule | 'new' | undefined): string {
  if (edited === undefined) return 'Schedules'
  return edited === 'new' ? 'New schedule' : edited.name
}

type ScheduleListProps = { onEdit: (edited: JobSchedule | 'new') => void; onChoose: (jobId: string) => void }

function ScheduleList({ onEdit, onChoose }: ScheduleListProps) {
  const schedules = useSchedules()
  const { data, isError } = schedules
  if (!data && isError) return <QuietRetry query={schedules} fallback="Failed to load" />
  if (!data) return <Skeleton height={200} radius="lg" role="status" aria-label="Loading schedules…" />
  return (
    <Stack gap="md" pb="lg">
      {data.items.length === 0 ? (
        <Text className="second">
          No schedules yet. A schedule runs a job at set times, such as every night or every hour.
        </Text>
      ) : (
        <ul className={classes.list}>
          {data.items.map((schedule) => (
            <li key={schedule.id}>
              <ScheduleLine schedule={schedule} onEdit={onEdit} onChoose={onChoose} />
            </li>
          ))}
        </ul>
      )}
      <Button onClick={() => onEdit('new')} style={{ alignSelf: 'flex-start' }}>
        New schedule
      </Button>
    </Stack>
  )
}

type ScheduleLineProps = ScheduleListProps & { schedule: JobSchedule }

function ScheduleLine({ schedule, onEdit, onChoose }: ScheduleLineProps) {
  const { name, queue, cron, timeZone, enabled, problem } = schedule
  const { switching, deleting } = useScheduleChanges()
  const remove = async () => {
    const sure = await askToConfirm({
      title: `Delete the schedule “${name}”?`,
      text: 'It will not enqueue any more jobs. Jobs already enqueued are not affected.',
      confirm: 'Delete schedule',
      cancel: 'Keep schedule',
      destroys: true,
    })
    if (sure) deleting.mutate(schedule)
  }
  return (
    <Stack gap={6}>
      <Group justify="space-between" wrap="nowrap">
        <Text fw={600}>{name}</Text>
        <Switch
          checked={enabled}
          onChange={() => switching.mutate(schedule)}
          disabled={switching.isPending}
          aria-label={`${name} is on`}
        />
      </Group>
      <Text size="sm">
        <code className={classes.cron}>{cron}</code> <span className="second">{timeZone}</span> · {queue}
      </Text>
      <Runs schedule={schedule} onChoose={onChoose} />
      {problem !== null && (
        <Text size="sm" c="bad">
          Last run not enqueued: {problem}
        </Text>
      )}
      <Group gap="xs">
        <Button variant="default" size="xs" onClick={() => onEdit(schedule)} aria-label={`Edit ${name}`}>
          Edit
        </Button>
        <Button
          variant="subtle"
          color="bad"
          size="xs"
          onClick={() => void remove()}
          loading={deleting.isPending}
          aria-label={`Delete ${name}`}
        >
          Delete
        </Button>
      </Group>
    </Stack>
  )
}

function Runs({
  schedule: { enabled, nextRunAt, lastRunAt, lastJobId },
  onChoose,
}: Pick<ScheduleLineProps, 'schedule' | 'onChoose'>) {
  return (
    <Text size="sm" className="second">
      {enabled && nextRunAt !== null ? `Next run ${momentWords(nextRunAt)}` : 'Off'}
      {lastRunAt !== null && (
        <>
          {' · last run '}
          {lastJobId === null ? (
            <Moment at={lastRunAt} />
          ) : (
            <Anchor component="button" type="button" inherit onClick={() => onChoose(lastJobId)}>
              <Moment at={lastRunAt} />
            </Anchor>
          )}
        </>
      )}
    </Text>
  )
}

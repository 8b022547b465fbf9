import { Anchor, Button, Group, Stack, Switch, Text } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import type { JobSchedule } from '#contract/automation.ts'
import { Moment } from '#web/components/admin/moment.tsx'
import { askToConfirm } from '#web/components/confirm.tsx'
import { momentWords } from '#web/components/time-words.ts'
import classes from './schedules.module.css'
import type { ScheduleChanges } from './use-schedules.ts'

type ScheduleListProps = {
  schedules: readonly JobSchedule[]
  changes: ScheduleChanges
  onEdit: (schedule: JobSchedule) => void
  onChoose: (jobId: string) => void
}

export function ScheduleList({ schedules, ...rest }: ScheduleListProps) {
  return (
    <ul className={classes.list}>
      {schedules.map((schedule) => (
        <li key={schedule.id}>
          <ScheduleLine schedule={schedule} {...rest} />
        </li>
      ))}
    </ul>
  )
}

type ScheduleLineProps = Omit<ScheduleListProps, 'schedules'> & { schedule: JobSchedule }

function ScheduleLine({ schedule, changes, onEdit, onChoose }: ScheduleLineProps) {
  const { name, queue, cron, timeZone, enabled, problem } = schedule
  const { switching, deleting } = changes
  const remove = async () => {
    const sure = await askToConfirm({
      title: `Delete the schedule “${name}”?`,
      text: 'It enqueues no more jobs; those it has enqueued stay.',
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
          disabled={switching.isPending && switching.variables.id === schedule.id}
          aria-label={`${name} is on`}
        />
      </Group>
      <Text size="sm">
        <code className={classes.cron}>{cron}</code> <span className="second">{timeZone}</span> · {queue}
      </Text>
      <Runs schedule={schedule} onChoose={onChoose} />
      {problem !== null && (
        <Text size="sm" c="bad">
          Not enqueued the last time: {problem}
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
          loading={deleting.isPending && deleting.variables.id === schedule.id}
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

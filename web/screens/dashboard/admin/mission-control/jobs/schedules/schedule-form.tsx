import { Autocomplete, Button, Group, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { JobSchedule, Queue } from '#contract/admin/automation.ts'
import { fieldProblems } from '#web/api/failures.ts'
import {
  JobJsonFields,
  jsonText,
  QueueField,
  useJobJson,
} from '#web/screens/dashboard/admin/mission-control/jobs/job-input.tsx'
import classes from './schedules.module.css'
import { useScheduleChanges } from './use-schedules.ts'

const timeZones = Intl.supportedValuesOf('timeZone')
const hereZone = () => Intl.DateTimeFormat().resolvedOptions().timeZone

const presets = [
  ['Every hour', '0 * * * *'],
  ['Every night at 3', '0 3 * * *'],
  ['Mondays at 6', '0 6 * * 1'],
] as const

type ScheduleFormProps = {
  schedule: JobSchedule | undefined
  queues: readonly Queue[]
  onDone: () => void
}

export function ScheduleForm({ schedule, queues, onDone }: ScheduleFormProps) {
  const [plain, setPlain] = useState({
    name: schedule?.name ?? '',
    queue: schedule?.queue ?? queues[0]?.key ?? '',
    cron: schedule?.cron ?? '',
    timeZone: schedule?.timeZone ?? hereZone(),
  })
  const write = (part: Partial<typeof plain>) => setPlain((before) => ({ ...before, ...part }))
  const json = useJobJson({
    payload: jsonText(schedule?.payload ?? {}),
    options: jsonText(schedule?.options ?? { attempts: 1 }),
  })
  const { saving } = useScheduleChanges()
  const problems = fieldProblems(saving.error)
  const submit = json.submit({
    isPending: saving.isPending,
    mutate: (body, { onError }) =>
      saving.mutate({ id: schedule?.id, values: { ...plain, ...body } }, { onSuccess: onDone, onError }),
  })
  return (
    <form onSubmit={submit} aria-label="Schedule" noValidate>
      <Stack gap="md" pb="lg">
        <TextInput
          label="Name"
          value={plain.name}
          onChange={(event) => write({ name: event.currentTarget.value })}
          error={problems.name}
          maxLength={100}
          autoComplete="off"
        />
        <QueueField
          queues={queues}
          value={plain.queue}
          onChange={(queue) => write({ queue })}
          error={problems.queue}
        />
        <Stack gap={6}>
          <TextInput
            label="When"
            description="Minute, hour, day of month, month, day of week, such as 0 3 * * *"
            value={plain.cron}
            onChange={(event) => write({ cron: event.currentTarget.value })}
            error={problems.cron}
            classNames={{ input: classes.cron ?? '' }}
            maxLength={100}
            autoComplete="off"
            spellCheck={false}
          />
          <Group gap="xs">
            {presets.map(([label, cron]) => (
              <Button key={cron} variant="default" size="compact-xs" onClick={() => write({ cron })}>
                {label}
              </Button>
            ))}
          </Group>
        </Stack>
        <Autocomplete
          label="Time zone"
          data={timeZones}
          limit={30}
          value={plain.timeZone}
          onChange={(timeZone) => write({ timeZone })}
          error={problems.timeZone}
          autoComplete="off"
        />
        <JobJsonFields json={json} problems={problems} />
        <Group gap="sm">
          <Button type="submit" loading={saving.isPending}>
            {schedule ? 'Save schedule' : 'Create schedule'}
          </Button>
          <Button variant="default" onClick={onDone}>
            Back
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

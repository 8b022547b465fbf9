import { ActionIcon, Button, Card, Group, TextInput, Tooltip } from '@mantine/core'
import { IconKeyboard, IconSearch } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, type Ref, useRef, useState } from 'react'
import { jobStatuses } from '#contract/automation.ts'
import { JobPanel } from '#web/screens/dashboard/admin/mission-control/jobs/job-detail/job-panel.tsx'
import { SchedulesDrawer } from '#web/screens/dashboard/admin/mission-control/jobs/schedules/schedules-drawer.tsx'
import { BulkButtons } from './bulk-buttons.tsx'
import { EnqueueDrawer } from './enqueue-drawer.tsx'
import { type FilterControls, unknownStatuses, useJobFilters } from './job-filters.ts'
import { useChosenJob, useJobs, useQueues, useRefreshLists } from './job-lists.ts'
import classes from './jobs.module.css'
import { JobsSection } from './jobs-section.tsx'
import { JobsShortcuts } from './jobs-shortcuts.tsx'
import { QueuesSection } from './queues-section.tsx'

type Opened = 'enqueue' | 'schedules' | 'shortcuts'

export function JobsView() {
  const controls = useJobFilters()
  const queues = useQueues()
  const jobs = useJobs(controls.filters)
  const refreshing = useMutation({ mutationFn: useRefreshLists() })
  const { chosen, choose, close } = useChosenJob()
  const [opened, setOpened] = useState<Opened>()
  const searchField = useRef<HTMLInputElement>(null)
  const known = queues.data?.queues ?? []
  const shut = () => setOpened(undefined)
  return (
    <div className={classes.desk}>
      <div>
        <QueuesSection
          queues={queues}
          actions={
            <Group gap="xs">
              <Button variant="default" onClick={() => refreshing.mutate()} loading={refreshing.isPending}>
                Refresh
              </Button>
              <Button variant="default" onClick={() => setOpened('schedules')}>
                Schedules
              </Button>
              <Button onClick={() => setOpened('enqueue')}>Enqueue Job</Button>
              <Tooltip label="Keyboard shortcuts (?)">
                <ActionIcon
                  variant="default"
                  size={36}
                  aria-label="Keyboard shortcuts (?)"
                  onClick={() => setOpened('shortcuts')}
                >
                  <IconKeyboard size={20} />
                </ActionIcon>
              </Tooltip>
            </Group>
          }
        />
        <JobFilterCard controls={controls} searchField={searchField} />
        <JobsSection
          jobs={jobs}
          controls={controls}
          chosen={chosen}
          onChoose={choose}
          onEnqueue={() => setOpened('enqueue')}
          actions={<BulkButtons filters={controls.filters} onStarted={choose} />}
        />
      </div>
      <JobPanel id={chosen} onChoose={choose} onClose={close} />
      <EnqueueDrawer
        opened={opened === 'enqueue'}
        onClose={shut}
        queues={known}
        onEnqueued={(id) => {
          shut()
          choose(id)
        }}
      />
      <SchedulesDrawer opened={opened === 'schedules'} onClose={shut} queues={known} onChoose={choose} />
      <JobsShortcuts
        opened={opened === 'shortcuts'}
        onClose={shut}
        chosen={chosen}
        listed={jobs.data?.pages.flatMap(({ items }) => items.map(({ id }) => id)) ?? []}
        commands={{
          search: () => searchField.current?.focus(),
          refresh: () => refreshing.mutate(),
          enqueue: () => setOpened('enqueue'),
          schedules: () => setOpened('schedules'),
          help: () => setOpened('shortcuts'),
          choose,
          close,
        }}
      />
    </div>
  )
}

type JobFilterCardProps = { controls: FilterControls; searchField: Ref<HTMLInputElement> }

function JobFilterCard({ controls, searchField }: JobFilterCardProps) {
  const { typed, filters, type, apply, clear } = controls
  const unknown = unknownStatuses(filters.status)
  const send = (event: FormEvent) => {
    event.preventDefault()
    apply()
  }
  return (
    <Card component="search" padding="md" className={classes.section} aria-label="Filter jobs">
      <form className={classes.filters} onSubmit={send}>
        <TextInput
          label="Queues"
          placeholder="ingest-autoparts, preprocess"
          value={typed.queue}
          onChange={(event) => type({ queue: event.currentTarget.value })}
          maxLength={2_000}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          label="Statuses"
          placeholder="queued, running, failed"
          value={typed.status}
          onChange={(event) => type({ status: event.currentTarget.value })}
          error={
            unknown.length > 0 && `Unknown status: ${unknown.join(', ')}. Use ${jobStatuses.join(', ')}.`
          }
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          ref={searchField}
          type="search"
          label="Search"
          placeholder="id, script, payload, error, or log"
          value={typed.search}
          onChange={(event) => type({ search: event.currentTarget.value })}
          leftSection={<IconSearch size={18} aria-hidden />}
          maxLength={200}
          autoComplete="off"
        />
        <div className={classes.buttons}>
          <Button variant="default" onClick={clear}>
            Clear
          </Button>
          <Button type="submit" variant="light" color="sea">
            Apply
          </Button>
        </div>
      </form>
    </Card>
  )
}

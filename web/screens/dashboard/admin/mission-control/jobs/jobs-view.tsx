import { ActionIcon, Button, Group, Tooltip } from '@mantine/core'
import { IconKeyboard } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { BulkButtons } from './bulk-buttons.tsx'
import { EnqueueDrawer } from './enqueue-drawer.tsx'
import { JobPanel } from './job-detail/job-panel.tsx'
import { JobFilterCard } from './job-filter-card.tsx'
import classes from './jobs.module.css'
import { JobsSection } from './jobs-section.tsx'
import { JobsShortcuts } from './jobs-shortcuts.tsx'
import { QueuesSection } from './queues-section.tsx'
import { SchedulesDrawer } from './schedules/schedules-drawer.tsx'
import { useChosenJob } from './use-chosen-job.ts'
import { useJobFilters } from './use-job-filters.ts'
import { useJobs, useQueues, useRefreshLists } from './use-job-lists.ts'

type Opened = 'enqueue' | 'schedules' | 'shortcuts'

/** Queues, jobs and what can be done with them. */
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
          actions={<BulkButtons filters={controls.filters} onBegun={choose} />}
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

import { ActionIcon, Button, Card, Group, Tooltip } from '@mantine/core'
import { IconKeyboard } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { jobStatuses } from '#contract/admin/automation.ts'
import { useListState } from '#web/components/listing-filters/list-state.ts'
import { SearchInput } from '#web/components/listing-filters/search-input.tsx'
import { JobPanel } from '#web/screens/dashboard/admin/mission-control/jobs/job-detail/job-panel.tsx'
import { SchedulesDrawer } from '#web/screens/dashboard/admin/mission-control/jobs/schedules/schedules-drawer.tsx'
import { BulkButtons } from './bulk-buttons.tsx'
import { EnqueueDrawer } from './enqueue-drawer.tsx'
import { type JobFilterControls, noFilters, unknownStatuses } from './job-filters.ts'
import { useChosenJob, useJobs, useQueues, useRefreshLists } from './job-lists.ts'
import classes from './jobs.module.css'
import { JobsSection } from './jobs-section.tsx'
import { JobsShortcuts } from './jobs-shortcuts.tsx'
import { QueuesSection } from './queues-section.tsx'

const searchFieldId = 'job-search'

type Opened = 'enqueue' | 'schedules' | 'shortcuts'

export function JobsView() {
  const controls = useListState(noFilters)
  const queues = useQueues()
  const jobs = useJobs(controls.filters)
  const refreshing = useMutation({ mutationFn: useRefreshLists() })
  const [chosen, choose] = useChosenJob()
  const [opened, setOpened] = useState<Opened>()
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
        <JobFilterCard controls={controls} />
        <JobsSection
          jobs={jobs}
          controls={controls}
          chosen={chosen}
          onChoose={choose}
          onEnqueue={() => setOpened('enqueue')}
          actions={<BulkButtons filters={controls.filters} onStarted={choose} />}
        />
      </div>
      <JobPanel id={chosen} onChoose={choose} onClose={() => choose(undefined)} />
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
        onChoose={choose}
        onOpen={setOpened}
        onRefresh={() => refreshing.mutate()}
        onSearch={() => document.getElementById(searchFieldId)?.focus()}
      />
    </div>
  )
}

/** Given by the spec. */
const searchWaitMs = 300

const fields = [
  { name: 'queue', label: 'Queues', placeholder: 'ingest-autoparts', maxLength: 2_000 },
  { name: 'status', label: 'Statuses', placeholder: 'queued, failed' },
  { name: 'search', label: 'Search', placeholder: 'id, script, or text' },
] as const

/** Typing filters after a pause, Apply at once. The spec wants no history entries of it. */
function JobFilterCard({ controls: { filters, change } }: { controls: JobFilterControls }) {
  // Clear also drops text that is not in the URL yet.
  const [cleared, setCleared] = useState(0)
  const unknown = unknownStatuses(filters.status)
  const problem =
    unknown.length > 0 && `Unknown status: ${unknown.join(', ')}. Use ${jobStatuses.join(', ')}.`
  const apply = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const typed = [...new FormData(event.currentTarget)].map(([name, text]) => [name, String(text).trim()])
    change(Object.fromEntries(typed), { replace: true })
  }
  return (
    <Card component="search" padding="md" className={classes.section} aria-label="Filter jobs">
      <form className={classes.filters} onSubmit={apply}>
        {fields.map(({ name, ...field }) => (
          <SearchInput
            key={`${name} ${cleared}`}
            {...field}
            {...(name === 'search' ? { id: searchFieldId } : { type: 'text', leftSection: null })}
            name={name}
            value={filters[name]}
            waitMs={searchWaitMs}
            onSearch={(text) => change({ [name]: text }, { replace: true })}
            error={name === 'status' && problem}
            rightSection={null}
            autoComplete="off"
            spellCheck={false}
          />
        ))}
        <div className={classes.buttons}>
          <Button
            variant="default"
            onClick={() => {
              change(noFilters, { replace: true })
              setCleared(cleared + 1)
            }}
          >
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

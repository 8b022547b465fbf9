import { Anchor, Progress, Table, Text } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import type { MouseEvent } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Job } from '#contract/automation.ts'
import { Moment } from '#web/components/admin/moment.tsx'
import records from '#web/components/admin/records-table.module.css'
import { percentOf } from './job-words.ts'
import classes from './jobs.module.css'
import { StatusBadge } from './status-badge.tsx'
import { withJob } from './use-chosen-job.ts'

type JobsTableProps = {
  jobs: readonly Job[]
  turning: boolean
  chosen: string | undefined
  onChoose: (id: string) => void
}

export function JobsTable({ jobs, turning, chosen, onChoose }: JobsTableProps) {
  return (
    <div className={records.frame} aria-busy={turning}>
      <Table className={records.table}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Status</Table.Th>
            <Table.Th>Queue</Table.Th>
            <Table.Th>Script</Table.Th>
            <Table.Th className={records.number}>Attempts</Table.Th>
            <Table.Th className={records.number}>Events</Table.Th>
            <Table.Th className={records.number}>Artifacts</Table.Th>
            <Table.Th>Created</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {jobs.map((job) => (
            <JobRow key={job.id} job={job} chosen={job.id === chosen} onChoose={onChoose} />
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

type JobRowProps = { job: Job; chosen: boolean; onChoose: (id: string) => void }

function JobRow({ job, chosen, onChoose }: JobRowProps) {
  const [params] = useSearchParams()
  const { id, status, queueKey, scriptId, attempts, maxAttempts, _count, createdAt } = job
  // The link in the row is the way of the keys; a click beside it means the same, unless it marks text.
  const click = (event: MouseEvent) => {
    if (event.target instanceof Element && event.target.closest('a')) return
    if (window.getSelection()?.isCollapsed !== false) onChoose(id)
  }
  return (
    <Table.Tr className={classes.row} data-chosen={chosen || undefined} onClick={click}>
      <Table.Td>
        <span className={classes.status}>
          <StatusBadge status={status} />
          <Text
            span
            size="sm"
            className="second"
            title={`${attempts} of ${maxAttempts} attempts are used up`}
          >
            {attempts}/{maxAttempts}
          </Text>
        </span>
        <RowProgress job={job} />
      </Table.Td>
      <Table.Td>
        <Anchor
          component={Link}
          to={{ search: withJob(params, id).toString() }}
          preventScrollReset
          className={classes.plain}
          aria-current={chosen ? 'true' : undefined}
          title={id}
          data-job={id}
        >
          {queueKey}
        </Anchor>
      </Table.Td>
      <Table.Td data-label="Script">{scriptId ?? <span className="second">–</span>}</Table.Td>
      <Table.Td data-label="Attempts" className={records.number}>
        {attempts.toLocaleString('en-US')}
      </Table.Td>
      <Table.Td data-label="Events" className={records.number}>
        {_count.events.toLocaleString('en-US')}
      </Table.Td>
      <Table.Td data-label="Artifacts" className={records.number}>
        {_count.artifacts.toLocaleString('en-US')}
      </Table.Td>
      <Table.Td data-label="Created">
        <Moment at={createdAt} />
      </Table.Td>
    </Table.Tr>
  )
}

function RowProgress({ job: { status, progress } }: { job: Job }) {
  const percent = percentOf(progress)
  if (status !== 'running' || percent === undefined) return null
  return (
    <Progress value={percent} color="sea" size="sm" mt={6} maw="8rem" aria-label={`${percent} percent`} />
  )
}

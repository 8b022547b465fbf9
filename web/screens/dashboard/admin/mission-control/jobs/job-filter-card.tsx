import { Button, Card, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { FormEvent, Ref } from 'react'
import { jobStatuses } from '#contract/automation.ts'
import { unknownStatuses } from './job-filter-words.ts'
import classes from './jobs.module.css'
import type { FilterControls } from './use-job-filters.ts'

type JobFilterCardProps = { controls: FilterControls; searchField: Ref<HTMLInputElement> }

export function JobFilterCard({ controls, searchField }: JobFilterCardProps) {
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
            unknown.length > 0 && `No status: ${unknown.join(', ')}. There are ${jobStatuses.join(', ')}.`
          }
          maxLength={200}
          autoComplete="off"
          spellCheck={false}
        />
        <TextInput
          ref={searchField}
          type="search"
          label="Search"
          placeholder="id, script, payload, error or log"
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

import { Button, Group, Skeleton, Stack, Text, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { listingEndpoints } from '#contract/listings.ts'
import {
  type FitSuggestion,
  type InterchangeReport,
  interchangeEndpoints,
} from '#contract/search/interchange.ts'
import { call } from '#web/api/client.ts'
import { TextLink } from '#web/components/links.tsx'
import { useListState } from '#web/components/listing-filters/list-state.ts'
import { Loaded } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { Pager } from '#web/components/pager.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import classes from './interchange.module.css'
import { interchangeKey, OwnStatements, toastPlace, useRemoveClaim } from './own-statements.tsx'

/** What a yard's parts interchange with, and what it can fix. */
export function Component() {
  const { page, turnTo } = useListState(noFilters, [24])
  const report = useQuery({
    queryKey: [...interchangeKey, 'report', page],
    queryFn: ({ signal }) => call(interchangeEndpoints.readInterchangeReport, { query: { page }, signal }),
  })
  return (
    <Page
      title="Interchange"
      lead="Buyers search by number. A part with its interchange numbers is found by each of them."
    >
      <Stack>
        <Loaded
          query={report}
          failure="Unable to load your interchange report"
          waiting={<Skeleton height={240} role="status" aria-label="Loading your interchange report…" />}
        >
          {(found) => (
            <Stack>
              <Coverage report={found} />
              <Contradictions found={found.contradictions} />
              <UnlinkedParts report={found} onTurn={turnTo} />
            </Stack>
          )}
        </Loaded>
        <FitSuggestions />
        <OwnStatements />
      </Stack>
    </Page>
  )
}

const noFilters = {}

const inWords = (count: number) => count.toLocaleString('en-US')

function Coverage({ report: { parts, numbered, linked } }: { report: InterchangeReport }) {
  if (parts === 0) return <Text className="second">No live parts yet.</Text>
  const share = Math.floor((100 * linked) / parts)
  return (
    <Text role="status">
      <strong>
        {inWords(linked)} of {inWords(parts)} parts ({share}%) interchange with another number.
      </strong>{' '}
      {numbered < parts && `${inWords(parts - numbered)} have no part number.`}
    </Text>
  )
}

function Contradictions({ found }: { found: InterchangeReport['contradictions'] }) {
  const remove = useRemoveClaim()
  if (found.length === 0) return null
  return (
    <SectionCard title="Contradictions" lead="These cannot all be right. Correct the part that is wrong.">
      <ul className={classes.lines}>
        {found.map(({ sentence, parts, claimId }) => (
          <li key={sentence}>
            <Text>{sentence}</Text>
            <Group gap="md">
              {parts.map(({ id, partslug, partname }) => (
                <TextLink key={id} to={paths.editListing(partslug)}>
                  Edit {partname}
                </TextLink>
              ))}
              {claimId && (
                <Button
                  variant="default"
                  size="xs"
                  loading={remove.isPending && remove.variables === claimId}
                  onClick={() => remove.mutate(claimId)}
                  aria-label={`Remove: ${sentence}`}
                >
                  Remove
                </Button>
              )}
            </Group>
          </li>
        ))}
      </ul>
    </SectionCard>
  )
}

type UnlinkedPartsProps = { report: InterchangeReport; onTurn: (page: number) => void }

function UnlinkedParts({ report: { without, parts, linked, page, perPage }, onTurn }: UnlinkedPartsProps) {
  const pageCount = Math.ceil((parts - linked) / perPage)
  if (without.length === 0 && page === 1) return null
  return (
    <SectionCard
      title="Parts without interchange"
      lead="Enter the other numbers the way your book shows them: 81150-06380; replaces 81150-06370."
    >
      <ul className={classes.lines}>
        {without.map((part) => (
          <PartLine key={`${part.id} ${part.version}`} part={part} />
        ))}
      </ul>
      <Pager page={page} pageCount={pageCount} onChange={onTurn} label="Pages of parts without interchange" />
    </SectionCard>
  )
}

function PartLine({ part }: { part: InterchangeReport['without'][number] }) {
  const { id, version, partname, partnum, partslug, vehicle } = part
  const [numbers, setNumbers] = useState('')
  const saving = useEdit(`Interchange of ${partname} saved`)
  const save = (event: FormEvent) => {
    event.preventDefault()
    if (numbers.trim() !== '') saving.mutate({ id, body: { partinterchange: numbers, version } })
  }
  return (
    <li>
      <div>
        <TextLink to={paths.editListing(partslug)} fw={600}>
          {partname}
        </TextLink>
        <Text size="sm" className="second">
          {vehicle} · {partnum ? `Part # ${partnum}` : 'No part number'}
        </Text>
      </div>
      <form onSubmit={save} className={classes.entry}>
        <TextInput
          aria-label={`Interchange numbers of ${partname}, ${partnum ?? 'no part number'}`}
          value={numbers}
          onChange={(event) => setNumbers(event.currentTarget.value)}
          maxLength={1_000}
        />
        <Button type="submit" variant="default" loading={saving.isPending} disabled={numbers.trim() === ''}>
          Save
        </Button>
      </form>
    </li>
  )
}

type Edit = { id: string; body: { version: number; partinterchange?: string; fitment?: string } }

/** The listing's own edit, so that its history has it and a stale page is refused. */
function useEdit(done: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, body }: Edit) => call(listingEndpoints.updateOwn, { params: { id }, body }),
    onSuccess: () => notifyDone(done, toastPlace),
    onError: (error) => notifyError(error, 'Could not save that part', toastPlace),
    onSettled: () => {
      void queryClient.invalidateQueries({ queryKey: ['listings'] })
      void queryClient.invalidateQueries({ queryKey: ['listing'], refetchType: 'none' })
      return queryClient.invalidateQueries({ queryKey: interchangeKey })
    },
  })
}

/** Nothing is added unless the seller clicks. */
function FitSuggestions() {
  const suggestions = useQuery({
    queryKey: [...interchangeKey, 'fits'],
    queryFn: ({ signal }) => call(interchangeEndpoints.suggestFits, { signal }),
  })
  return (
    <Loaded
      query={suggestions}
      failure="Unable to load vehicles that your parts may fit"
      waiting={<Skeleton height={66} role="status" aria-label="Loading vehicles…" />}
    >
      {({ items }) =>
        items.length > 0 && (
          <SectionCard
            title="May also fit"
            lead="Parts with the same number came from these vehicles. Check before you add one; nothing is added without you."
          >
            <ul className={classes.lines}>
              {items.flatMap((part) =>
                part.rows.map((one) => <FitLine key={`${part.id} ${one.row}`} part={part} {...one} />),
              )}
            </ul>
          </SectionCard>
        )
      }
    </Loaded>
  )
}

function FitLine({ part, row, why }: { part: FitSuggestion; row: string; why: string }) {
  const { id, version, partname, partnum, partslug, fitment } = part
  const adding = useEdit(`${row} added to ${partname}`)
  const body = { fitment: fitment ? `${fitment}; ${row}` : row, version }
  return (
    <li>
      <div>
        <Text fw={600}>{row}</Text>
        <Text size="sm" className="second">
          <TextLink to={paths.editListing(partslug)}>{partname}</TextLink> · Part # {partnum} · {why}
        </Text>
      </div>
      <Button
        variant="default"
        loading={adding.isPending}
        onClick={() => adding.mutate({ id, body })}
        aria-label={`Add ${row} to ${partname}, ${partnum}`}
      >
        Add
      </Button>
    </li>
  )
}

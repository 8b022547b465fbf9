import { Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { type ImportRecord, importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import {
  ImportBadge,
  RejectedRowsButton,
  UndoButton,
  useImport,
  WithdrawButton,
} from '#web/components/imports/import-actions.tsx'
import { ImportBody } from '#web/components/imports/import-body.tsx'
import { formatCount, isMoving, rowsInWords } from '#web/components/imports/import-words.ts'
import { LoadError } from '#web/components/page/load-error.tsx'
import { Pager } from '#web/components/pager.tsx'
import { RecordsList } from '#web/components/records-list.tsx'
import { timeAgo } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/wizard.ts'
import classes from './results-tab.module.css'
import { SectionCard } from './section-card.tsx'

/** What came of the file that was sent, as it goes on; and of the ones before. */
export function ResultsTab({ wizard }: { wizard: Wizard }) {
  const { state } = wizard.run
  return (
    <Stack gap="md">
      {state.step === 'sent' && <Sent key={state.importId} id={state.importId} />}
      <RecentImports />
    </Stack>
  )
}

function Sent({ id }: { id: string }) {
  const found = useImport(id)
  if (found.data) return <Outcome record={found.data} seenAtMs={found.dataUpdatedAt} />
  if (found.isPending) return <Skeleton height={320} radius="lg" aria-label="Loading the import…" />
  return (
    <LoadError
      message="The import could not be loaded."
      onRetry={() => void found.refetch()}
      retrying={found.isFetching}
    />
  )
}

type OutcomeProps = { record: ImportRecord; seenAtMs: number }

function Outcome({ record, seenAtMs }: OutcomeProps) {
  const { canUndo, canWithdraw } = record
  return (
    <>
      <SectionCard
        title={record.fileName || 'Import'}
        lead={`All rows have arrived.${isMoving(record) ? ' It goes on by itself; you may leave this page.' : ''}`}
        aside={<ImportBadge record={record} />}
      >
        <Group gap="sm">
          {canUndo && <UndoButton record={record} />}
          {canWithdraw && <WithdrawButton record={record} />}
          <Button variant="default" component={Link} to={paths.importRun(record.id)}>
            Its own page
          </Button>
        </Group>
      </SectionCard>
      <ImportBody record={record} seenAtMs={seenAtMs} />
    </>
  )
}

const moving = 3_000

/** What was imported, newest first; each has a page of its own. */
export function RecentImports() {
  const [page, setPage] = useState(1)
  const imports = useQuery({
    queryKey: ['imports', page],
    queryFn: ({ signal }) => call(importEndpoints.listImports, { query: { page }, signal }),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isMoving) ? moving : false),
  })
  return (
    <section aria-labelledby="recent-imports" className={classes.section}>
      <Title order={2} size="h3" id="recent-imports" mb="sm">
        Recent imports
      </Title>
      <RecordsList
        query={imports}
        items={imports.data?.items}
        failed="Your imports could not be loaded."
        loading="Loading your imports…"
        skeleton={{ rows: 3, height: 56 }}
        empty={
          <Text className="second">
            Nothing imported yet. Your imports appear here with their results and an undo button.
          </Text>
        }
        footer={
          imports.data && (
            <Pager
              page={page}
              pageCount={Math.ceil(imports.data.total / imports.data.perPage)}
              onChange={setPage}
              label="Pages of imports"
            />
          )
        }
      >
        {(records) => (
          <ul className={classes.list}>
            {records.map((record) => (
              <ImportRow key={record.id} record={record} />
            ))}
          </ul>
        )}
      </RecordsList>
    </section>
  )
}

function ImportRow({ record }: { record: ImportRecord }) {
  const { id, fileName, mode, createdAt } = record
  return (
    <li className={classes.row}>
      <div className={classes.name}>
        <Anchor component={Link} to={paths.importRun(id)} className={classes.whole}>
          {fileName || 'Import'}
        </Anchor>
        <Text size="sm" className="second">
          <time dateTime={createdAt} title={new Date(createdAt).toLocaleString('en-US')}>
            {timeAgo(createdAt, new Date())}
          </time>
          {mode === 'replace' && ' · replaces the stock'}
        </Text>
      </div>
      <Text className="second">{factsOf(record)}</Text>
      <Group justify="flex-end" gap="sm" className={classes.actions}>
        <ImportActions record={record} />
        <ImportBadge record={record} />
      </Group>
    </li>
  )
}

/** What can be done about it from here; its receipt and its files stand on its own page. */
function ImportActions({ record }: { record: ImportRecord }) {
  const { id, state, rejected, canUndo, canWithdraw } = record
  return (
    <>
      {(rejected ?? 0) > 0 && (
        <RejectedRowsButton record={record} compact>
          Rejected rows
        </RejectedRowsButton>
      )}
      {(state === 'applied' || state === 'undone') && (
        <Button component={Link} to={paths.importRun(id)} variant="default" size="xs">
          Receipt
        </Button>
      )}
      {canUndo && <UndoButton record={record} compact />}
      {canWithdraw && <WithdrawButton record={record} compact />}
    </>
  )
}

/** The one line that tells imports apart. */
function factsOf({ state, received, chunkCount, total, plan, rejected, progress }: ImportRecord): string {
  if (state === 'receiving') return `${Math.floor((received / chunkCount) * 100)} % of the file arrived`
  if ((state === 'applying' || state === 'undoing') && progress) {
    return `${formatCount(progress.done)} of ${formatCount(progress.total)}`
  }
  if (!plan) return total === null ? '' : rowsInWords(total)
  const parts = [
    [plan.create, 'new'],
    [plan.update, 'updated'],
    [plan.ended, 'ended'],
    [rejected ?? 0, 'left out'],
  ] as const
  const told = parts.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`)
  return told.length > 0 ? told.join(' · ') : 'nothing changed'
}

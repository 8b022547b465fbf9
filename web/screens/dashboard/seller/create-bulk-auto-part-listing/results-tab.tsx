import { Anchor, Button, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { Link } from 'react-router'
import type { ImportRecord } from '#contract/imports.ts'
import {
  ImportBadge,
  RejectedRowsButton,
  UndoButton,
  useImport,
  useRecentImports,
} from '#web/components/imports/import-actions.tsx'
import { ImportBody } from '#web/components/imports/import-body.tsx'
import { formatCount, isMoving, rowsInWords } from '#web/components/imports/import-words.ts'
import { Loaded } from '#web/components/page/load-error.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { Pager } from '#web/components/pager.tsx'
import { RecordsList } from '#web/components/records-list.tsx'
import { timeAgo } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'
import classes from './results-tab.module.css'

export function ResultsTab({ wizard }: { wizard: Wizard }) {
  const { state } = wizard.run
  return (
    <Stack gap="md">
      {state.step === 'sent' && <CurrentImport key={state.importId} id={state.importId} />}
      <RecentImports />
    </Stack>
  )
}

function CurrentImport({ id }: { id: string }) {
  const found = useImport(id)
  return (
    <Loaded
      query={found}
      failure="The import could not be loaded."
      waiting={<Skeleton height={320} radius="lg" aria-label="Loading the import…" />}
    >
      {(record) => <Outcome record={record} seenAtMs={found.dataUpdatedAt} />}
    </Loaded>
  )
}

function Outcome({ record, seenAtMs }: { record: ImportRecord; seenAtMs: number }) {
  return (
    <>
      <SectionCard
        title={record.fileName || 'Import'}
        lead={`All rows are uploaded.${isMoving(record) ? ' The import continues if you leave this page.' : ''}`}
        aside={<ImportBadge record={record} />}
      >
        <Group gap="sm">
          <UndoButton record={record} />
          <Button variant="default" component={Link} to={paths.importRun(record.id)}>
            View details
          </Button>
        </Group>
      </SectionCard>
      <ImportBody record={record} seenAtMs={seenAtMs} />
    </>
  )
}

/** Earlier imports, newest first. */
export function RecentImports() {
  const [page, setPage] = useState(1)
  const imports = useRecentImports(page)
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
            No imports yet. Your imports appear here with their results and an undo button.
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
        <Anchor component={Link} to={paths.importRun(id)} className={classes.rowLink}>
          {fileName || 'Import'}
        </Anchor>
        <Text size="sm" className="second">
          <time dateTime={createdAt} title={new Date(createdAt).toLocaleString('en-US')}>
            {timeAgo(createdAt, new Date())}
          </time>
          {mode === 'replace' && ' · replaces your stock'}
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

/** Quick actions. The receipt and files are on the import's own page. */
function ImportActions({ record }: { record: ImportRecord }) {
  const { id, state, rejected } = record
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
      <UndoButton record={record} compact />
    </>
  )
}

function factsOf({ state, received, chunkCount, total, plan, rejected, progress }: ImportRecord): string {
  if (state === 'receiving') return `${Math.floor((received / chunkCount) * 100)}% uploaded`
  if ((state === 'applying' || state === 'undoing') && progress) {
    return `${formatCount(progress.done)} of ${formatCount(progress.total)}`
  }
  if (!plan) return total === null ? '' : rowsInWords(total)
  const parts = [
    [plan.create, 'new'],
    [plan.update, 'updated'],
    [plan.ended, 'ended'],
    [plan.held, 'waiting for you'],
    [rejected ?? 0, 'left out'],
  ] as const
  const facts = parts.filter(([count]) => count > 0).map(([count, word]) => `${formatCount(count)} ${word}`)
  return facts.length > 0 ? facts.join(' · ') : 'nothing changed'
}

import { Anchor, Breadcrumbs, Button, Stack, Text, VisuallyHidden } from '@mantine/core'
import { Link, useParams } from 'react-router'
import type { ImportRecord } from '#contract/imports.ts'
import { ApiError } from '#web/api/failures.ts'
import lost from '#web/artwork/lost.svg?raw'
import { EmptyState } from '#web/components/empty-state.tsx'
import { ImportBadge } from '#web/components/imports/import-badge.tsx'
import { isMoving, stateWords } from '#web/components/imports/import-words.ts'
import { LoadError } from '#web/components/load-error.tsx'
import { Page } from '#web/components/page.tsx'
import { timeAgo } from '#web/components/time-words.ts'
import { Waiting } from '#web/components/waiting.tsx'
import { paths } from '#web/paths.ts'
import { ImportStages } from './import-stages.tsx'
import { ImportState } from './import-state.tsx'
import { RejectedRows } from './rejected-rows.tsx'
import { UndoButton } from './undo-button.tsx'
import { useImport } from './use-import.ts'
import { WithdrawButton } from './withdraw-button.tsx'

export function Component() {
  const { id = '' } = useParams()
  const found = useImport(id)
  if (found.data) return <Import record={found.data} seenAtMs={found.dataUpdatedAt} />
  if (found.error instanceof ApiError && found.error.status === 404) return <NoImport />
  if (found.isPending) return <Waiting label="Loading the import…" />
  return (
    <Page title="Import">
      <LoadError
        message="The import could not be loaded."
        onRetry={() => void found.refetch()}
        retrying={found.isFetching}
      />
    </Page>
  )
}

const bulkImport = (
  <Button variant="default" component={Link} to={paths.createBulkListing}>
    Import another file
  </Button>
)

function Import({ record, seenAtMs }: { record: ImportRecord; seenAtMs: number }) {
  const { fileName, mode, createdAt, rejected, canUndo, canWithdraw } = record
  const name = fileName || 'Import'
  return (
    <Page
      title={tabTitle(record, name)}
      heading={name}
      aside={<ImportBadge record={record} />}
      lead={`Sent ${timeAgo(createdAt, new Date())} · ${mode === 'replace' ? 'replaces your stock' : 'adds and updates'}`}
      actions={
        <>
          {canUndo && <UndoButton record={record} />}
          {canWithdraw && <WithdrawButton record={record} />}
          {bulkImport}
        </>
      }
    >
      <Breadcrumbs mb="lg">
        <Anchor component={Link} to={paths.createBulkListing}>
          Bulk Import
        </Anchor>
        <Text truncate maw="16rem" lh="1.5">
          {name}
        </Text>
      </Breadcrumbs>
      <StateAnnouncer record={record} />
      <Stack gap="md">
        <ImportStages record={record} />
        <ImportState record={record} seenAtMs={seenAtMs} />
        {(record.plan?.rejected ?? rejected ?? 0) > 0 && <RejectedRows record={record} />}
      </Stack>
    </Page>
  )
}

/** What moves is followed from another tab too. */
function tabTitle(record: ImportRecord, name: string): string {
  const { progress } = record
  if (!isMoving(record) || !progress || progress.total === 0) return `${name} · Import`
  return `${Math.floor((progress.done / progress.total) * 100)} % · ${name}`
}

/** Says a change of state once; how far it is says the progress itself, in tenths. */
function StateAnnouncer({ record }: { record: ImportRecord }) {
  return <VisuallyHidden role="status">This import: {stateWords(record).label}</VisuallyHidden>
}

function NoImport() {
  return (
    <Page title="Import not found" width="text">
      <EmptyState
        drawing={lost}
        title="There is no import at this address"
        text="Imports are seen by the seller who sent them."
        action={
          <Button component={Link} to={paths.createBulkListing}>
            See my imports
          </Button>
        }
      />
    </Page>
  )
}

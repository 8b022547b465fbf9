import { Stack } from '@mantine/core'
import { useParams } from 'react-router'
import type { ImportRecord } from '#contract/imports.ts'
import { ApiError } from '#web/api/failures.ts'
import lost from '#web/artwork/lost.svg?url'
import { ImportBadge, UndoButton, useImport } from '#web/components/imports/import-actions.tsx'
import { ImportBody } from '#web/components/imports/import-body.tsx'
import { isMoving } from '#web/components/imports/import-words.ts'
import { ButtonLink } from '#web/components/links.tsx'
import { QueryError } from '#web/components/page/load-error.tsx'
import { Page, Trail } from '#web/components/page/page.tsx'
import { Waiting } from '#web/components/page/waiting.tsx'
import { timeAgo } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import { Empty } from '#web/site/page.tsx'

export function Component() {
  const { id = '' } = useParams()
  const found = useImport(id)
  if (found.data) return <Import record={found.data} seenAtMs={found.dataUpdatedAt} />
  if (found.error instanceof ApiError && found.error.status === 404) return <NoImport />
  if (found.isPending) return <Waiting label="Loading the import…" />
  return (
    <Page title="Import">
      <QueryError message="The import could not be loaded." query={found} />
    </Page>
  )
}

function Import({ record, seenAtMs }: { record: ImportRecord; seenAtMs: number }) {
  const { fileName, mode, createdAt } = record
  const name = fileName || 'Import'
  return (
    <Page
      title={tabTitle(record, name)}
      heading={name}
      aside={<ImportBadge record={record} />}
      lead={`Sent ${timeAgo(createdAt, new Date())} · ${mode === 'replace' ? 'replaces your stock' : 'adds and updates listings'}`}
      actions={
        <>
          <UndoButton record={record} />
          <ButtonLink variant="default" to={paths.createBulkListing}>
            Import another file
          </ButtonLink>
        </>
      }
    >
      <Trail links={[{ to: paths.createBulkListing, label: 'Bulk Import' }]} here={name} />
      <Stack gap="md">
        <ImportBody record={record} seenAtMs={seenAtMs} />
      </Stack>
    </Page>
  )
}

/** Shows progress in the tab title, so it is visible from other tabs. */
function tabTitle(record: ImportRecord, name: string): string {
  const { progress } = record
  if (!isMoving(record) || !progress || progress.total === 0) return `${name} · Import`
  return `${Math.floor((progress.done / progress.total) * 100)}% · ${name}`
}

function NoImport() {
  return (
    <Page title="Import not found" width="text">
      <Empty
        drawing={lost}
        title="We couldn’t find that import"
        text="Only the seller who started an import can see it."
        action={<ButtonLink to={paths.createBulkListing}>See my imports</ButtonLink>}
      />
    </Page>
  )
}

import { Button, Group, Skeleton, Stack } from '@mantine/core'
import { Link } from 'react-router'
import type { ImportRecord } from '#contract/imports.ts'
import {
  ImportBadge,
  UndoButton,
  useImport,
  WithdrawButton,
} from '#web/components/imports/import-actions.tsx'
import { ImportBody } from '#web/components/imports/import-body.tsx'
import { isMoving } from '#web/components/imports/import-words.ts'
import { LoadError } from '#web/components/page/load-error.tsx'
import { paths } from '#web/paths.ts'
import { RecentImports } from './recent-imports.tsx'
import { SectionCard } from './section-card.tsx'
import type { Wizard } from './wizard.ts'

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

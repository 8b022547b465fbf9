import { Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { findColumn } from '#contract/csv-header.ts'
import { saveFile } from '#web/components/downloads.tsx'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import type {
  DryRunResult,
  IssueKind,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/dry-run-result.ts'
import type { RunOrder } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard.ts'
import { failingRowsFileName } from './check-words.ts'
import { failingRowsFile } from './failing-rows-file.ts'
import { FixRows } from './fix-rows.tsx'
import { IssueKinds } from './issue-kinds.tsx'
import { IssueTable } from './issue-table.tsx'
import { useShownIssues } from './use-shown-issues.ts'
import classes from './validate.module.css'

type ProblemsProps = { wizard: Wizard; order: RunOrder; result: DryRunResult }

/** What is wrong, by its kind and row by row, and the rows themselves to put right. */
export function Problems({ wizard, order, result }: ProblemsProps) {
  const [kind, setKind] = useState<IssueKind>()
  const [replacing, setReplacing] = useState<number>()
  // Who has begun to fix rows goes on with it, after a reload too.
  const [fixing, setFixing] = useState<'asked' | 'goesOn' | undefined>(
    wizard.edits.size > 0 ? 'goesOn' : undefined,
  )
  const placeOf = ({ column }: IssueKind) => (column === '' ? -1 : findColumn(order.file.headers, column))
  return (
    <>
      {result.errors > 0 && (
        <Card component="section" aria-labelledby="problems">
          <Stack gap="md">
            <Group justify="space-between" gap="sm">
              <Title order={2} size="h3" id="problems">
                What is wrong
              </Title>
              <Group gap="sm" className={classes.actions}>
                <Download order={order} result={result} />
                {fixing === undefined && <Button onClick={() => setFixing('asked')}>Fix rows here</Button>}
              </Group>
            </Group>
            <IssueKinds
              kinds={result.kinds}
              chosen={kind}
              onChoose={setKind}
              canReplace={(one) => placeOf(one) >= 0}
              onReplace={(one) => {
                setFixing('asked')
                setReplacing(placeOf(one))
              }}
            />
            {/* Rows that are open to be fixed tell for themselves. */}
            {(fixing === undefined || kind !== undefined) && <ShownIssues result={result} kind={kind} />}
          </Stack>
        </Card>
      )}
      {fixing !== undefined && (
        <FixRows
          wizard={wizard}
          order={order}
          result={result}
          isAsked={fixing === 'asked'}
          replacing={replacing}
          onReplaced={() => setReplacing(undefined)}
        />
      )}
    </>
  )
}

function ShownIssues({ result, kind }: { result: DryRunResult; kind: IssueKind | undefined }) {
  const issues = useShownIssues(result, kind)
  const count = kind?.count ?? result.issueCount
  return (
    <div>
      <Text fw={600} mb="xs" role="status">
        {issues.length < count
          ? `The first ${issues.length} of ${formatCount(count)} problems${kind ? ' of this kind' : ''}`
          : `${formatCount(count)} ${count === 1 ? 'problem' : 'problems'}${kind ? ' of this kind' : ''}`}
      </Text>
      <IssueTable issues={issues} />
    </div>
  )
}

function Download({ order, result }: { order: RunOrder; result: DryRunResult }) {
  const [isBusy, setBusy] = useState(false)
  async function download(): Promise<void> {
    setBusy(true)
    try {
      saveFile(await failingRowsFile(order, result), failingRowsFileName(order.file.file.name))
    } catch {
      notifyProblem('The file could not be read again. Choose it once more, then check it.')
    } finally {
      setBusy(false)
    }
  }
  return (
    <Button
      variant="default"
      loading={isBusy}
      leftSection={<IconDownload size={18} aria-hidden />}
      title={`${rowsInWords(result.errors)} with their columns and what is wrong; it can be chosen here again once corrected`}
      onClick={() => void download()}
    >
      Download all rows with errors (.csv)
    </Button>
  )
}

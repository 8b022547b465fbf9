import { Alert, Button, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { formatCount, rowsInWords } from '#web/components/imports/import-words.ts'
import { Outcome } from '#web/components/imports/outcome.tsx'
import { saveFile } from '#web/components/save-file.ts'
import type { DryRunResult } from './dry-run-result.ts'
import type { RunOrder } from './import-run.ts'
import { IssueTable } from './issue-table.tsx'

type CheckCardProps = {
  order: RunOrder
  result: DryRunResult
  onImport: () => void
  /** An administrator without the plan only looks. */
  mayImport: boolean
}

/** What the dry run found, and the way on. */
export function CheckCard({ order, result, onImport, mayImport }: CheckCardProps) {
  const heading = useRef<HTMLHeadingElement>(null)
  // What was waited for is read out, and the keyboard goes on from here.
  useEffect(() => heading.current?.focus(), [])
  const { total, errors, changes, issues, issueCount, issueFile } = result
  const good = total - errors
  return (
    <Card component="section" aria-labelledby="checked">
      <Stack gap="md">
        <div>
          <Title order={2} size="h3" id="checked" ref={heading} tabIndex={-1}>
            {errors === 0
              ? `All ${rowsInWords(total)} are good`
              : `${formatCount(errors)} of ${rowsInWords(total)} ${errors === 1 ? 'needs' : 'need'} correction`}
          </Title>
          <Text className="second">{nextStep({ good, errors, replaces: order.mode === 'replace' })}</Text>
        </div>
        <Outcome
          label="What an import would do"
          parts={[
            { label: 'New listings', count: changes.create, color: 'good' },
            { label: 'Updated', count: changes.update, color: 'sea' },
            { label: 'Unchanged', count: changes.unchanged, color: 'gray' },
            ...(changes.merged > 0
              ? [
                  {
                    label: 'Same rows',
                    count: changes.merged,
                    color: 'gray' as const,
                    hint: 'become a quantity',
                  },
                ]
              : []),
            { label: 'With errors', count: errors, color: 'bad' },
          ]}
        />
        {order.file.chunkCount > 1 && (
          <Text size="sm" className="second">
            Counted a thousand rows at a time; the plan that is made before anything changes is exact.
          </Text>
        )}
        {issues.length > 0 && (
          <IssueTable
            issues={issues}
            count={issueCount}
            onDownload={() => saveFile(issueFile, issueFileName(order))}
          />
        )}
        {mayImport ? (
          <Group gap="md">
            <Button size="md" onClick={onImport} disabled={good === 0}>
              Run import
            </Button>
            <Text className="second">
              {rowsInWords(good)}
              {errors > 0 &&
                `; ${errors === 1 ? 'the one' : 'those'} with errors ${errors === 1 ? 'is' : 'are'} left out`}
            </Text>
          </Group>
        ) : (
          <Alert color="sea" variant="light">
            Importing needs the Pro plan.
          </Alert>
        )}
      </Stack>
    </Card>
  )
}

function nextStep({ good, errors, replaces }: { good: number; errors: number; replaces: boolean }): string {
  if (good === 0)
    return 'No row can be imported as it is. Correct the file or the columns above, then check again.'
  const ending = replaces
    ? ' Parts of earlier imports that the file lacks would end; the plan will say how many.'
    : ''
  if (errors === 0) return `Nothing was written yet.${ending}`
  return `Nothing was written yet. Correct them in your file and choose it again, or import the others now.${ending}`
}

const issueFileName = ({ file }: RunOrder) => `${file.file.name.replace(/\.csv(\.gz)?$/i, '')}-errors.csv`

import { Button, Group, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { ImportRecord } from '#contract/imports.ts'
import { paths } from '#web/paths.ts'
import { ImportPlan } from './import-plan.tsx'
import { ImportProgress } from './import-progress.tsx'
import { formatCount } from './import-words.ts'
import { Question } from './question.tsx'
import { Receipt } from './receipt.tsx'
import { StateCard } from './state-card.tsx'

type ImportStateProps = { record: ImportRecord; seenAtMs: number }

/** What an import is doing, waits for, or did: one card for each state. */
export function ImportState({ record, seenAtMs }: ImportStateProps) {
  switch (record.state) {
    case 'receiving':
      return <Incomplete record={record} />
    case 'abandoned':
      return (
        <StateCard title="This import was given up" busy={false}>
          <Text>Not all of its rows came within 7 days. No listing was changed. Import the file again.</Text>
        </StateCard>
      )
    case 'withdrawn':
      return (
        <StateCard title="You withdrew this import" busy={false}>
          <Text>
            Nothing of it went live and no listing was changed. To import the file after all, choose it again.
          </Text>
        </StateCard>
      )
    case 'staged':
    case 'planning':
      return (
        <StateCard title="Working out what will change…" busy>
          <Text className="second">
            Your rows are compared with your listings. Nothing is changed yet; you may leave this page.
          </Text>
        </StateCard>
      )
    case 'planned':
      return (
        <StateCard title="Your import waits for approval" busy={false}>
          <Text>
            An administrator looks at it before it goes live. There is nothing for you to do; it goes on by
            itself after that.
          </Text>
          <ImportPlan record={record} />
        </StateCard>
      )
    case 'review':
      return <Question record={record} />
    case 'applying':
    case 'undoing':
      return <ImportProgress record={record} seenAtMs={seenAtMs} />
    case 'applied':
    case 'undone':
      return <Receipt record={record} />
    case 'failed':
      return (
        <StateCard title="This import failed" busy={false}>
          <Text>{record.error ?? 'Something went wrong on our side.'}</Text>
          <Text className="second">
            {record.canUndo
              ? 'A part of it is live. Take it back with “Undo this import”, then import the file again.'
              : 'No listing was changed. Import the file again; if it fails once more, ask technical support.'}
          </Text>
          <Button component={Link} to={paths.support} variant="default" style={{ alignSelf: 'flex-start' }}>
            Ask technical support
          </Button>
        </StateCard>
      )
  }
}

function Incomplete({ record }: { record: ImportRecord }) {
  const { received, chunkCount, missingChunks, fileName } = record
  const [first] = missingChunks
  return (
    <StateCard title="The rest of the file is still missing" busy={false}>
      <Text>
        {formatCount(received)} of {formatCount(chunkCount)} pieces have arrived
        {first !== undefined && `; it waits for piece ${formatCount(first + 1)}`}. No listing was changed.
      </Text>
      <Text className="second">
        In the browser that sent it, Bulk Import goes on where it stopped. Anywhere else choose{' '}
        {fileName || 'the same file'} again, with the same columns and values. What stays incomplete for 7
        days is given up.
      </Text>
      <Group>
        <Button component={Link} to={paths.createBulkListing}>
          Open Bulk Import
        </Button>
      </Group>
    </StateCard>
  )
}

import '@mantine/core/styles/Progress.layer.css'
import {
  Button,
  Group,
  Loader,
  NativeSelect,
  Pagination,
  Progress,
  SegmentedControl,
  Stack,
  Table,
  Text,
} from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import { useState } from 'react'
import type { UploadState } from '#web/components/listing-picture/picture-queue.ts'
import classes from './batch-table.module.css'
import type { BatchRow, PictureBatch } from './picture-batch.ts'

type Filter = 'all' | 'choose' | 'none' | 'failed'
const ROWS = 50

/** Which picture goes to which part, and the state of its upload. */
export function BatchTable({ batch }: { batch: PictureBatch }) {
  const { rows, states } = batch
  const [wanted, setWanted] = useState<Filter>('all')
  const [page, setPage] = useState(1)
  const kinds: Record<Filter, readonly BatchRow[]> = {
    all: rows,
    choose: rows.filter(({ match }) => match.listings.length > 1),
    none: rows.filter(({ match }) => match.listings.length === 0),
    failed: rows.filter(({ key }) => states.get(key)?.step === 'failed'),
  }
  // A filter without rows is no longer offered.
  const filter = kinds[wanted].length > 0 ? wanted : 'all'
  const shown = kinds[filter]
  const pages = Math.ceil(shown.length / ROWS)
  const at = Math.min(page, pages)
  const labels: Record<Filter, string> = {
    all: 'All',
    choose: 'Several parts',
    none: 'No part',
    failed: 'Failed',
  }
  const choices = (Object.keys(labels) as Filter[]).filter((each) => each === 'all' || kinds[each].length > 0)
  return (
    <Stack gap="sm">
      {choices.length > 1 && (
        <div className={classes.filters}>
          <SegmentedControl
            aria-label="Show"
            data={choices.map((value) => ({ value, label: `${labels[value]} (${kinds[value].length})` }))}
            value={filter}
            onChange={(value) => {
              setWanted(value)
              setPage(1)
            }}
          />
        </div>
      )}
      <div className={classes.frame}>
        <Table className={classes.table} verticalSpacing="xs" horizontalSpacing="md">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>File</Table.Th>
              <Table.Th>Part</Table.Th>
              <Table.Th className={classes.state}>Upload</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {shown.slice((at - 1) * ROWS, at * ROWS).map((row) => (
              <Row key={row.key} row={row} state={states.get(row.key)} batch={batch} />
            ))}
          </Table.Tbody>
        </Table>
      </div>
      {pages > 1 && <Pagination total={pages} value={at} onChange={setPage} />}
    </Stack>
  )
}

type RowProps = { row: BatchRow; state: UploadState | undefined; batch: PictureBatch }

function Row({ row, state, batch }: RowProps) {
  const folders = row.file.path.split('/')
  const name = folders.pop()
  return (
    <Table.Tr>
      <Table.Td className={classes.file}>
        {name}
        {folders.length > 0 && (
          <Text size="xs" className="second" span display="block">
            {folders.join(' / ')}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <RowPart row={row} isLocked={state !== undefined} onChoose={(id) => batch.choose(row, id)} />
      </Table.Td>
      <Table.Td className={classes.state}>
        <RowState
          name={name ?? ''}
          row={row}
          state={state}
          isAddedBefore={batch.addedBefore.includes(row)}
          onRetry={() => batch.retry(row.key)}
        />
      </Table.Td>
    </Table.Tr>
  )
}

type RowPartProps = { row: BatchRow; isLocked: boolean; onChoose: (listingId: string | undefined) => void }

function RowPart({ row: { match, listingId, file }, isLocked, onChoose }: RowPartProps) {
  const { listings, why } = match
  const listing = listings.find(({ id }) => id === listingId)
  if (listings.length > 1 && !isLocked) {
    return (
      <NativeSelect
        size="sm"
        aria-label={`Part of ${file.path}`}
        description={listingId === undefined ? why : undefined}
        value={listingId ?? ''}
        onChange={(event) => onChoose(event.currentTarget.value || undefined)}
        data={[
          { value: '', label: 'Choose the part' },
          ...listings.map(({ id, title }) => ({ value: id, label: title })),
        ]}
      />
    )
  }
  if (!listing) {
    return (
      <Text size="sm" className="second">
        {why}
      </Text>
    )
  }
  return (
    <>
      {listing.title}
      <Text size="xs" className="second" span display="block">
        Stock # {listing.stock}
      </Text>
    </>
  )
}

type RowStateProps = {
  name: string
  row: BatchRow
  state: UploadState | undefined
  isAddedBefore: boolean
  onRetry: () => void
}

function RowState({ name, row, state, isAddedBefore, onRetry }: RowStateProps) {
  if (isAddedBefore) return <Text size="sm">Added before</Text>
  if (!state) return <Text size="sm">{row.listingId === undefined ? 'Left out' : 'Ready'}</Text>
  if (state.step === 'waiting') return <Text size="sm">Waiting</Text>
  if (state.step === 'preparing') {
    return (
      <Group gap={6} wrap="nowrap">
        <Loader size={14} aria-hidden />
        <Text size="sm">Preparing</Text>
      </Group>
    )
  }
  if (state.step === 'done') {
    return (
      <Text size="sm" c="good">
        Added
      </Text>
    )
  }
  if (state.step === 'failed') {
    return (
      <>
        <Text size="sm" c="bad">
          {state.why}
        </Text>
        {state.again && (
          <Button size="compact-xs" variant="default" onClick={onRetry} aria-label={`Try again: ${name}`}>
            Try again
          </Button>
        )}
      </>
    )
  }
  if (state.waitsFor !== 'nobody') return <Text size="sm">Waiting for the {waits[state.waitsFor]}</Text>
  return (
    <Progress value={Math.round(state.sent * 100)} size="sm" color="sea" aria-label={`Uploading ${name}`} />
  )
}

const waits = { network: 'connection', server: 'server' }

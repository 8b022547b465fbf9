import { Stack, Table } from '@mantine/core'
import '@mantine/core/styles/Table.layer.css'
import { useState } from 'react'
import { formatCount } from '#web/components/imports/import-words.ts'
import { Pager } from '#web/components/pager.tsx'
import {
  type ChunkState,
  chunkStates,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/run-progress.ts'
import classes from './run.module.css'

const MAX_CELLS = 240
const PER_PAGE = 50

type ChunkMapProps = { chunks: Uint8Array; dryRun: boolean }

export function ChunkMap({ chunks, dryRun }: ChunkMapProps) {
  const words = chunkWords(dryRun)
  const counts = countStates(chunks)
  if (chunks.length < 2) return null
  return (
    <Stack gap="xs" role="group" aria-label="File chunks">
      <div className={classes.map} aria-hidden>
        {chunkCells(chunks, MAX_CELLS).map((state, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
          <span key={place} data-state={state} />
        ))}
      </div>
      <dl className={classes.counts}>
        {chunkStates.map((state) => (
          <div key={state}>
            <span className={classes.key} data-state={state} aria-hidden />
            <dt>{words[state]}</dt>
            <dd>{formatCount(counts[state])}</dd>
          </div>
        ))}
      </dl>
      <ChunkList chunks={chunks} dryRun={dryRun} />
    </Stack>
  )
}

function ChunkList({ chunks, dryRun }: ChunkMapProps) {
  const [isOpen, setOpen] = useState(false)
  const [page, setPage] = useState(1)
  const words = chunkWords(dryRun)
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Show all chunks</summary>
      {isOpen && (
        <Stack gap="sm" mt="sm">
          <Table className={classes.table} aria-label="Chunks">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Chunk</Table.Th>
                <Table.Th>Status</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {chunkPage(chunks, (page - 1) * PER_PAGE, PER_PAGE).map(({ chunk, state }) => (
                <Table.Tr key={chunk}>
                  <Table.Td>{formatCount(chunk)}</Table.Td>
                  <Table.Td>{words[state]}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          <Pager
            page={page}
            pageCount={Math.ceil(chunks.length / PER_PAGE)}
            onChange={setPage}
            label="Pages of chunks"
          />
        </Stack>
      )}
    </details>
  )
}

const stateAt = (chunks: Uint8Array, place: number): ChunkState => chunkStates[chunks[place] ?? 0] ?? 'queued'

/** The spec's words. */
const chunkWords = (dryRun: boolean): Record<ChunkState, string> => ({
  queued: 'Queued',
  uploading: 'Uploading',
  done: dryRun ? 'Validated' : 'Staged',
  failed: 'Failed',
})

export function countStates(chunks: Uint8Array): Record<ChunkState, number> {
  const counts = { queued: 0, uploading: 0, done: 0, failed: 0 }
  for (let place = 0; place < chunks.length; place++) counts[stateAt(chunks, place)]++
  return counts
}

/** The state to show where several chunks share a cell of the map. */
const byUrgency: readonly ChunkState[] = ['failed', 'uploading', 'queued', 'done']

/** The map's cells, at most `most`. Each stands for one or more consecutive chunks. */
export function chunkCells(chunks: Uint8Array, most: number): ChunkState[] {
  const each = Math.max(1, Math.ceil(chunks.length / most))
  return Array.from({ length: Math.ceil(chunks.length / each) }, (_, cell) => {
    const states = new Set(
      Array.from(chunks.subarray(cell * each, (cell + 1) * each), (state) => chunkStates[state]),
    )
    return byUrgency.find((state) => states.has(state)) ?? 'queued'
  })
}

/** One page of the table, with chunks numbered from 1. */
export function chunkPage(
  chunks: Uint8Array,
  from: number,
  count: number,
): { chunk: number; state: ChunkState }[] {
  const length = Math.max(0, Math.min(count, chunks.length - from))
  return Array.from({ length }, (_, at) => ({ chunk: from + at + 1, state: stateAt(chunks, from + at) }))
}

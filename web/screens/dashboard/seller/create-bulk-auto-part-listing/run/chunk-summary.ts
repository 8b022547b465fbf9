import {
  type ChunkState,
  chunkStates,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/import-run.ts'

const stateAt = (chunks: Uint8Array, place: number): ChunkState => chunkStates[chunks[place] ?? 0] ?? 'queued'

/** The spec's words (section 4). */
export const chunkWords = (dryRun: boolean): Record<ChunkState, string> => ({
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

/** What is most worth seeing of several chunks that share a place on the map. */
const byUrgency: readonly ChunkState[] = ['failed', 'uploading', 'queued', 'done']

/** The chunks as at most so many cells, each a chunk or a few that follow one another. */
export function chunkCells(chunks: Uint8Array, most: number): ChunkState[] {
  const each = Math.max(1, Math.ceil(chunks.length / most))
  return Array.from({ length: Math.ceil(chunks.length / each) }, (_, cell) => {
    const states = new Set(
      Array.from(chunks.subarray(cell * each, (cell + 1) * each), (state) => chunkStates[state]),
    )
    return byUrgency.find((state) => states.has(state)) ?? 'queued'
  })
}

/** A page of the table: the chunks from a place on, numbered from 1. */
export function chunkPage(
  chunks: Uint8Array,
  from: number,
  count: number,
): { chunk: number; state: ChunkState }[] {
  const length = Math.max(0, Math.min(count, chunks.length - from))
  return Array.from({ length }, (_, at) => ({ chunk: from + at + 1, state: stateAt(chunks, from + at) }))
}

import type { WaitsFor } from '#web/api/patience.ts'
import type { Chunk } from './file-chunks.ts'

/** Indexes into this list are the values of `RunProgress.chunks`. `done`: validated by a dry run, or staged. */
export const chunkStates = ['queued', 'uploading', 'done', 'failed'] as const
export type ChunkState = (typeof chunkStates)[number]

export type RunProgress = {
  rows: number
  characters: number
  /** Each chunk's state as an index into `chunkStates`; empty until the number of chunks is known. */
  chunks: Uint8Array
  atMs: number
  /** The file is stored in this browser, so the upload resumes after a reload. */
  isKept: boolean
  paused: boolean
  waitsFor: WaitsFor
}

export type RunElsewhere = {
  fileName: string
  dryRun: boolean
  rows: number
  records: number
  paused: boolean
  waitsFor: WaitsFor
}

/** Rendering more often than this is not visible. */
const SHOWN_EVERY_MS = 100

export const nothingSent = (): RunProgress => ({
  rows: 0,
  characters: 0,
  chunks: new Uint8Array(),
  atMs: Date.now(),
  isKept: false,
  paused: false,
  waitsFor: 'nobody',
})

export type RunTracker = ReturnType<typeof runTracker>

/** Tracks a run's progress by chunk and reports it at intervals. */
export function runTracker(show: (progress: RunProgress) => void) {
  const now = nothingSent()
  const waiting = new Map<number, WaitsFor>()
  let shownAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  function report(): void {
    clearTimeout(timer)
    timer = undefined
    if (isOver) return
    shownAt = performance.now()
    show({ ...now, chunks: now.chunks.slice(), atMs: Date.now(), waitsFor: waitsFor() })
  }
  /** The network first: while it is down, the server's state is unknown. */
  function waitsFor(): WaitsFor {
    const all = [...waiting.values()]
    return all.includes('network') ? 'network' : (all[0] ?? 'nobody')
  }
  function changed(): void {
    const left = SHOWN_EVERY_MS - (performance.now() - shownAt)
    if (left <= 0) report()
    else timer ??= setTimeout(report, left)
  }
  function mark({ index }: Pick<Chunk, 'index'>, state: ChunkState): void {
    now.chunks[index] = chunkStates.indexOf(state)
    changed()
  }
  return {
    begin(chunkCount: number): void {
      Object.assign(now, { rows: 0, characters: 0, chunks: new Uint8Array(chunkCount) })
      report()
    },
    uploading: (chunk: Chunk): void => mark(chunk, 'uploading'),
    failed: (chunk: Chunk): void => mark(chunk, 'failed'),
    done(chunk: Chunk): void {
      now.rows += chunk.records
      now.characters += chunk.characters
      waiting.delete(chunk.index)
      mark(chunk, 'done')
    },
    waits({ index }: Chunk, whom: WaitsFor): void {
      if (whom === 'nobody') waiting.delete(index)
      else waiting.set(index, whom)
      changed()
    },
    /** The file is stored in this browser, so the page can be closed. */
    kept(): void {
      now.isKept = true
      changed()
    },
    pause(paused: boolean): void {
      now.paused = paused
      report()
    },
    /** Returns the final progress and stops reporting. */
    end(): RunProgress {
      clearTimeout(timer)
      isOver = true
      return { ...now, atMs: Date.now(), waitsFor: waitsFor() }
    },
  }
}

import type { Chunk } from './file-chunks.ts'
import { type ChunkState, chunkStates, type RunProgress, type WaitsFor } from './import-run.ts'

/** A page that is drawn more often is not seen. */
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

export type RunCourse = ReturnType<typeof runCourse>

/** Keeps how far a run is, chunk by chunk, and shows it now and then. */
export function runCourse(show: (progress: RunProgress) => void) {
  const now = nothingSent()
  const waiting = new Map<number, WaitsFor>()
  let shownAt = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let isOver = false

  function tell(): void {
    clearTimeout(timer)
    timer = undefined
    if (isOver) return
    shownAt = performance.now()
    show({ ...now, chunks: now.chunks.slice(), atMs: Date.now(), waitsFor: waitsFor() })
  }
  /** The network first: while it is down, nothing can be said of the server. */
  function waitsFor(): WaitsFor {
    const all = [...waiting.values()]
    return all.includes('network') ? 'network' : (all[0] ?? 'nobody')
  }
  function changed(): void {
    const left = SHOWN_EVERY_MS - (performance.now() - shownAt)
    if (left <= 0) tell()
    else timer ??= setTimeout(tell, left)
  }
  function mark({ index }: Pick<Chunk, 'index'>, state: ChunkState): void {
    now.chunks[index] = chunkStates.indexOf(state)
    changed()
  }
  return {
    begin(chunkCount: number): void {
      Object.assign(now, { rows: 0, characters: 0, chunks: new Uint8Array(chunkCount) })
      tell()
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
    /** The file lies in this browser: the page may be closed. */
    kept(): void {
      now.isKept = true
      changed()
    },
    pause(paused: boolean): void {
      now.paused = paused
      tell()
    },
    /** What is known at the end; nothing is shown after it. */
    end(): RunProgress {
      clearTimeout(timer)
      isOver = true
      return { ...now, atMs: Date.now(), waitsFor: waitsFor() }
    },
  }
}

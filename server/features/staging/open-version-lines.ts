import type { FileStore } from '#server/platform/file-store/file-store.ts'
import { readSegmentLines } from './read-segment-lines.ts'
import type { Segment } from './segment.ts'

export type VersionLines = {
  /** The line of a row, counted from 0. */
  at(row: number): Promise<string>
  /** Is it the last of its segment? */
  endsSegment(row: number): boolean
}

// Rows are asked for nearly in order; this many characters of segments are kept for those that are not.
const MOST_CHARACTERS = 16_000_000

/** The lines of a version, for asking in any order. The segments last asked for are in memory, the others are not. */
export function openVersionLines(files: FileStore, segments: readonly Segment[]): VersionLines {
  const ends: number[] = []
  for (const { rows } of segments) ends.push((ends.at(-1) ?? 0) + rows)
  const kept = new Map<number, { lines: string[]; characters: number }>()
  let characters = 0

  const linesOf = async (place: number, sha256: string) => {
    const known = kept.get(place)
    if (known) return known.lines
    const lines = await readSegmentLines(files, sha256)
    const length = lines.reduce((sum, line) => sum + line.length, 0)
    kept.set(place, { lines, characters: length })
    characters += length
    // The one asked for first goes first.
    for (const [oldest, { characters: freed }] of kept) {
      if (characters <= MOST_CHARACTERS || oldest === place) break
      kept.delete(oldest)
      characters -= freed
    }
    return lines
  }

  return {
    async at(row) {
      const place = ends.findIndex((end) => row < end)
      const segment = segments[place]
      const lines = segment && (await linesOf(place, segment.sha256))
      const line = lines?.[row - (ends[place - 1] ?? 0)]
      if (line === undefined) throw new Error(`The version has no row ${row}`)
      return line
    },
    endsSegment: (row) => ends.includes(row + 1),
  }
}

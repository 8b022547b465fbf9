import type { JobLine } from '#web/components/job-stream/feed-log.ts'

export const isError = ({ level, stream }: JobLine): boolean => level === 'error' || stream === 'stderr'

export type LogLevel = 'all' | 'errors' | 'system'

export function linesOfLevel(lines: readonly JobLine[], level: LogLevel): readonly JobLine[] {
  if (level === 'all') return lines
  return lines.filter((line) => (level === 'errors' ? isError(line) : line.stream === 'system'))
}

/** Positions of the lines that contain `words`, ignoring case. */
export function linesWith(lines: readonly JobLine[], words: string): number[] {
  const wanted = words.toLowerCase()
  if (wanted === '') return []
  return placesOf(lines, ({ text }) => text.toLowerCase().includes(wanted))
}

export const linesWithErrors = (lines: readonly JobLine[]): number[] => placesOf(lines, isError)

const placesOf = (lines: readonly JobLine[], wanted: (line: JobLine) => boolean): number[] =>
  lines.flatMap((line, place) => (wanted(line) ? place : []))

/** The next (or previous) position, wrapping around. */
export function nextPlace(
  places: readonly number[],
  from: number | undefined,
  backwards = false,
): number | undefined {
  if (from === undefined) return backwards ? places.at(-1) : places[0]
  const next = backwards ? places.findLast((place) => place < from) : places.find((place) => place > from)
  return next ?? (backwards ? places.at(-1) : places[0])
}

export function spansOf(text: string, words: string): [from: number, to: number][] {
  const spans: [number, number][] = []
  const wanted = words.toLowerCase()
  if (wanted === '') return spans
  const searched = text.toLowerCase()
  for (let at = searched.indexOf(wanted); at !== -1; at = searched.indexOf(wanted, at + wanted.length)) {
    spans.push([at, at + wanted.length])
  }
  return spans
}

export const logText = (lines: readonly JobLine[]): string =>
  lines.map(({ at, stream, text }) => `${at} ${stream} ${text}\n`).join('')

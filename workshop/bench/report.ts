/** Rows as a Markdown table: the first column to the left, all others, which are numbers, to the right. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  const rule = head.map((_, at) => (at === 0 ? '---' : '---:'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

/** "1,234,567". */
export const figure = (value: number): string => Math.round(value).toLocaleString('en-US')
/** "12.3 s", "45 ms". */
export const duration = (ms: number): string =>
  ms >= 1_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms)} ms`
/** "214 MB". */
export const megabytes = (bytes: number): string => `${Math.round(bytes / 1_000_000)} MB`
/** "45%". */
export const percent = (share: number): string => `${Math.round(share * 100)}%`

/** The value that this share of the values is not above; 0 for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? 0
}
export const median = (values: readonly number[]): number => percentile(values, 0.5)

export type Target = {
  readonly name: string
  readonly found: string
  readonly wanted: string
  /** Undefined where a number is only printed for comparison. */
  readonly isMet: boolean | undefined
}

export const atLeast = (name: string, share: number, least: number): Target => ({
  name,
  found: percent(share),
  wanted: `≥ ${percent(least)}`,
  isMet: share >= least,
})

// Of a whole process, whatever the size of the file.
const MEMORY_LIMIT = 300_000_000

export const memoryTarget = (name: string, bytes: number): Target => ({
  name: `peak memory of ${name}`,
  found: megabytes(bytes),
  wanted: `< ${megabytes(MEMORY_LIMIT)}`,
  isMet: bytes < MEMORY_LIMIT,
})

/** Prints a title, the tables and the targets; returns whether all targets were met. */
export function report(parts: readonly string[], targets: readonly Target[]): boolean {
  const rows = targets.map(({ name, found, wanted, isMet }) => [name, found, wanted, verdict(isMet)])
  console.log(`\n${[...parts, markdownTable(['target', 'found', 'wanted', ''], rows)].join('\n\n')}`)
  return targets.every(({ isMet }) => isMet !== false)
}

function verdict(isMet: boolean | undefined): string {
  if (isMet === undefined) return ''
  return isMet ? 'met' : '**missed**'
}

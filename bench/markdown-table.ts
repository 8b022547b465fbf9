/** Rows as a Markdown table: the first column to the left, all others, which are figures, to the right. */
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
export const verdict = (isMet: boolean): string => (isMet ? 'met' : '**missed**')

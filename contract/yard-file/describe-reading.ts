import type { Encoding, Reading } from './reading.ts'

export const encodingNames: Readonly<Record<Encoding, string>> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16 (little-endian)',
  'utf-16be': 'UTF-16 (big-endian)',
  'windows-1252': 'Windows-1252',
  macintosh: 'Mac Roman',
}

const delimiterNames = new Map([
  [',', 'commas'],
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'vertical bars'],
  [':', 'colons'],
  [' ', 'spaces'],
])

/** What stands between cells, as people call it. */
export function describeDelimiter(delimiter: string): string {
  const named = delimiterNames.get(delimiter)
  if (named) return named
  if (delimiter > ' ' && delimiter < '\x7f') return `“${delimiter}”`
  return `the character 0x${delimiter.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`
}

/** "Windows-1252, semicolons, header in row 4". */
export function describeReading({ encoding, delimiter, quote, headerRow, layout, sheet }: Reading): string {
  const isText = sheet === undefined
  const parts = isText ? [encodingNames[encoding], describeDelimiter(delimiter)] : [`sheet “${sheet}”`]
  if (isText && quote === "'") parts.push('single quotes')
  if (isText && quote === '') parts.push('no quotes')
  parts.push(headerRow === 0 ? 'no header' : `header in row ${headerRow}`)
  if (layout === 'ebay') parts.push('eBay listings')
  return parts.join(', ')
}

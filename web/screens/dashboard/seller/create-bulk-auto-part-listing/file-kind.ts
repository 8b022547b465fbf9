const starts: [sentence: string, ...bytes: number[]][] = [
  [
    'This is an Excel workbook or a ZIP file. In your spreadsheet choose “Save as” and “CSV UTF-8”.',
    0x50,
    0x4b,
    3,
    4,
  ],
  [
    'This is an old Excel workbook. In your spreadsheet choose “Save as” and “CSV UTF-8”.',
    0xd0,
    0xcf,
    0x11,
    0xe0,
  ],
  ['This is a PDF. Export the list as CSV from the program that made it.', 0x25, 0x50, 0x44, 0x46],
  ['This is a picture, not a CSV.', 0x89, 0x50, 0x4e, 0x47],
  ['This is a picture, not a CSV.', 0xff, 0xd8, 0xff],
  ['This file is written in UTF-16. Save it again as “CSV UTF-8”.', 0xff, 0xfe],
  ['This file is written in UTF-16. Save it again as “CSV UTF-8”.', 0xfe, 0xff],
]

const beginsWith = (start: Uint8Array, bytes: readonly number[]) =>
  bytes.every((byte, place) => start[place] === byte)

export const isGzip = (start: Uint8Array): boolean => beginsWith(start, [0x1f, 0x8b])

/** A sentence for a file that is no CSV in UTF-8, from its first bytes (unpacked); undefined for one that may be. */
export function unfitFile(start: Uint8Array): string | undefined {
  const known = starts.find(([, ...bytes]) => beginsWith(start, bytes))
  if (known) return known[0]
  if (isGzip(start)) return 'This file is compressed twice. Unpack it once, then choose it again.'
  if (start.includes(0)) return 'This file is not text. Export the list as “CSV UTF-8”.'
  return isUtf8(start)
    ? undefined
    : 'This file has letters that are not UTF-8. Save it again as “CSV UTF-8”, so that they arrive as they are.'
}

/** `start` may end inside a character. */
function isUtf8(start: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(start, { stream: true })
    return true
  } catch {
    return false
  }
}

/** The spec's sentence covers every name that is neither (section 5). */
export const hasCsvName = (name: string): boolean => /\.csv(\.gz)?$/i.test(name)
export const notCsv = 'Please choose a CSV or CSV.GZ file'

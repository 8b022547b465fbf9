import type { AppError } from '#server/platform/app-error.ts'
import { refuseFile, SAVE_AS_CSV } from './csv-refusal.ts'

/** So many bytes tell what a file is. */
export const KIND_BYTES = 4_096

const bytes = (...values: number[]) => Buffer.from(values)
const GZIP = bytes(0x1f, 0x8b)

/** Told by the content alone; a name proves nothing. */
export const isGzip = (head: Buffer): boolean => head.subarray(0, GZIP.length).equals(GZIP)

const startsWith = (head: Buffer, start: Buffer | string) => head.indexOf(start) === 0

const A_PICTURE = 'has no rows in it. Choose the CSV file of your parts.'
const UNPACK = 'Unpack it and upload the CSV file that is in it.'

type Kind = [is: (head: Buffer) => boolean, sentence: string]

const starting = (start: Buffer | string, sentence: string): Kind => [
  (head) => startsWith(head, start),
  sentence,
]

/** What people upload instead of a CSV, with the way to one. A header cannot begin like any of them. */
const OTHER_KINDS: readonly Kind[] = [
  [isGzip, 'This file was packed with gzip twice. Unpack it once and upload that.'],
  [
    (head) => startsWith(head, 'PK\x03\x04') && /xl\/|\[Content_Types\]\.xml/.test(head.toString('latin1')),
    `This is an Excel workbook (.xlsx). ${SAVE_AS_CSV}`,
  ],
  [
    (head) => startsWith(head, 'PK\x03\x04') && head.includes('opendocument.spreadsheet'),
    `This is an OpenDocument spreadsheet (.ods). ${SAVE_AS_CSV}`,
  ],
  starting('PK\x03\x04', `This is a ZIP archive. ${UNPACK}`),
  starting('PK\x05\x06', 'This is a ZIP archive with nothing in it. Choose the CSV file of your parts.'),
  starting(
    bytes(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
    `This is an old Excel workbook (.xls) or another Office file. ${SAVE_AS_CSV}`,
  ),
  starting('%PDF-', 'This is a PDF. Export your parts as CSV from the program that made it and upload that.'),
  starting(bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a), `This is a PNG picture, which ${A_PICTURE}`),
  starting(bytes(0xff, 0xd8, 0xff), `This is a JPEG picture, which ${A_PICTURE}`),
  starting('GIF87a', `This is a GIF picture, which ${A_PICTURE}`),
  starting('GIF89a', `This is a GIF picture, which ${A_PICTURE}`),
  [
    (head) => startsWith(head, 'RIFF') && head.toString('latin1', 8, 12) === 'WEBP',
    `This is a WebP picture, which ${A_PICTURE}`,
  ],
  [
    (head) => /^ftyp(hei|mif1|avif)/.test(head.toString('latin1', 4, 12)),
    `This is a HEIC or AVIF picture, which ${A_PICTURE}`,
  ],
  starting(bytes(0x49, 0x49, 0x2a, 0x00), `This is a TIFF picture, which ${A_PICTURE}`),
  starting(bytes(0x4d, 0x4d, 0x00, 0x2a), `This is a TIFF picture, which ${A_PICTURE}`),
  starting(bytes(0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c), `This is a 7-Zip archive. ${UNPACK}`),
  starting('Rar!\x1a\x07', `This is a RAR archive. ${UNPACK}`),
  starting(bytes(0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00), `This file is packed with xz. ${UNPACK}`),
  starting(bytes(0x28, 0xb5, 0x2f, 0xfd), `This file is packed with zstd. ${UNPACK}`),
  [
    (head) => /^BZh[1-9]1AY&SY/.test(head.toString('latin1', 0, 10)),
    `This file is packed with bzip2. ${UNPACK}`,
  ],
  [
    (head) => /^\s*<(!doctype html|html|table)[\s>]/i.test(head.toString('latin1')),
    `This is a web page; some programs save theirs as .xls or .csv. ${SAVE_AS_CSV}`,
  ],
  starting('<?xml', `This is an XML file. ${SAVE_AS_CSV}`),
  [
    (head) => /^\s*[[{]\s*["{[]/.test(head.toString('latin1')),
    'This is a JSON file. Export your parts as CSV and upload that.',
  ],
  starting(bytes(0xff, 0xfe), `This file is UTF-16 text (“Unicode Text”), not UTF-8. ${SAVE_AS_CSV}`),
  starting(bytes(0xfe, 0xff), `This file is UTF-16 text, not UTF-8. ${SAVE_AS_CSV}`),
  [looksLikeUtf16, `This file seems to be UTF-16 text, not UTF-8. ${SAVE_AS_CSV}`],
]

/** Latin text in UTF-16 without its mark: every other byte is 0. */
function looksLikeUtf16(head: Buffer): boolean {
  const [first, second, third, fourth] = head
  return (first === 0 && third === 0 && second !== 0) || (second === 0 && fourth === 0 && first !== 0)
}

/** The refusal of what is no CSV by its first bytes, in words; undefined for what may be one. */
export function otherKind(head: Buffer): AppError | undefined {
  const found = OTHER_KINDS.find(([is]) => is(head))
  return found && refuseFile(found[1], 'WRONG_TYPE')
}

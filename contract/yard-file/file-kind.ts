import { isHtml } from './html-text.ts'

/** Bytes needed to detect a file's kind. */
export const KIND_BYTES = 4_096

/** Unpacked: more than a file of several million rows. */
export const MAX_UNPACKED_BYTES = 2 * 1024 ** 3
// Text compresses to a tenth. Zeros compress to a thousandth; such a file is meant to exhaust its reader. A small file of
// equal rows may compress better.
const MAX_RATIO = 200
const RATIO_COUNTS_FROM = 10 * 1024 ** 2

/** Whether a file is a bomb, by how many bytes it unpacked to so far. */
export const isBomb = (unpacked: number, packed: number): boolean =>
  unpacked > RATIO_COUNTS_FROM && unpacked > MAX_RATIO * packed

export type FileKind = { kind: 'text' | 'gzip' | 'workbook' | 'zip' } | { kind: 'other'; sentence: string }
const other = (sentence: string): FileKind => ({ kind: 'other', sentence })

const SAVE_AS = 'Open it in your spreadsheet program, save it as “CSV UTF-8” or .xlsx, and upload that.'
const EXPORT = 'Export your parts as CSV from the program that made it and upload that.'
const UNPACK = 'Unpack it and upload the parts list inside.'
export const ZIP_IN_ZIP = `This is a ZIP archive in a ZIP archive. ${UNPACK}`
const NO_ROWS = 'has no rows in it. Choose your parts list.'

/** The beginning itself or a test of it; each byte of the file is one character. */
type Kind = [start: string | RegExp | ((letters: string) => boolean), sentence: string]

const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1'
const inUtf16 = (text: string) => [...text].join('\0')
const ofMedia = (letters: string) => letters.startsWith('\0') && letters.slice(4, 8) === 'ftyp'

/** What people upload instead of a table, and how to get one. No header starts like these. */
const otherKinds: readonly Kind[] = [
  [
    (letters) => letters.startsWith(OLE) && letters.includes(inUtf16('EncryptedPackage')),
    'This is a workbook with a password. Save it without one and upload it again.',
  ],
  [OLE, `This is an old Excel workbook (.xls), one with a password, or another Office file. ${SAVE_AS}`],
  ['\x09\x08\x10\0', `This is an old Excel workbook (.xls). ${SAVE_AS}`],
  ['%PDF-', `This is a PDF. ${EXPORT}`],
  ['\x89PNG\r\n', `This is a PNG picture, which ${NO_ROWS}`],
  ['\xff\xd8\xff', `This is a JPEG picture, which ${NO_ROWS}`],
  [/^GIF8[79]a/, `This is a GIF picture, which ${NO_ROWS}`],
  [/^RIFF.{4}WEBP/s, `This is a WebP picture, which ${NO_ROWS}`],
  [
    (letters) => ofMedia(letters) && /^(hei|hev|mif1|msf1|avi)/.test(letters.slice(8)),
    `This is a HEIC or AVIF picture, which ${NO_ROWS}`,
  ],
  [ofMedia, `This is a video, which ${NO_ROWS}`],
  ['II\x2a\0', `This is a TIFF picture, which ${NO_ROWS}`],
  ['MM\0\x2a', `This is a TIFF picture, which ${NO_ROWS}`],
  [
    (letters) => letters.startsWith('BM') && letters.slice(6, 10) === '\0\0\0\0',
    `This is a BMP picture, which ${NO_ROWS}`,
  ],
  ['7z\xbc\xaf\x27\x1c', `This is a 7-Zip archive. ${UNPACK}`],
  ['Rar!\x1a\x07', `This is a RAR archive. ${UNPACK}`],
  ['\xfd7zXZ\0', `This file is packed with xz. ${UNPACK}`],
  ['\x28\xb5\x2f\xfd', `This file is packed with zstd. ${UNPACK}`],
  [/^BZh[1-9]1AY&SY/, `This file is packed with bzip2. ${UNPACK}`],
  ['SQLite format 3\0', `This is a database (SQLite). ${EXPORT}`],
  ['\0\x01\0\0Standard ', `This is an Access database. ${EXPORT}`],
  ['{\\rtf', `This is a text document (.rtf). ${EXPORT}`],
  [
    /^MIME-Version:.*multipart\/related/is,
    `This is a web page; some programs save theirs as .xls. ${SAVE_AS}`,
  ],
  [
    /^\s*<\?xml.*(urn:schemas-microsoft-com:office:spreadsheet|progid="Excel\.Sheet")/s,
    `This is an Excel spreadsheet in XML. ${SAVE_AS}`,
  ],
  [/^\s*<\?xml/, `This is an XML file. ${EXPORT}`],
  [/^\s*[[{]\s*["{[]/, `This is a JSON file. ${EXPORT}`],
  [isBinary, `This file is not text but another program’s own format. ${EXPORT}`],
]

// Old programs separate cells with a control character; some also enclose them in another one.
const MAX_DIVIDERS = 3

/** Whether there are control characters that no text has. Zeros are half of UTF-16. */
function isBinary(letters: string): boolean {
  if (letters.startsWith('\xff\xfe') || letters.startsWith('\xfe\xff')) return false
  const kinds = new Set<number>()
  let controls = 0
  for (let at = 0; at < letters.length; at++) {
    const code = letters.charCodeAt(at)
    const isOfText = code === 0 || (code > 8 && code < 14) || code === 26 || code === 27 || code > 31
    if (isOfText) continue
    kinds.add(code)
    controls += 1
  }
  return kinds.size > MAX_DIVIDERS && controls > letters.length / 50
}

const begins = (letters: string, start: Kind[0]): boolean => {
  if (typeof start === 'string') return letters.startsWith(start)
  return typeof start === 'function' ? start(letters) : start.test(letters)
}

/** Detects a file's kind from its first `KIND_BYTES`, not its name. The sentence explains what to do instead. */
export function fileKind(head: Uint8Array): FileKind {
  const letters = latin1(head)
  if (letters.startsWith('\x1f\x8b')) return { kind: 'gzip' }
  if (letters.startsWith(ZIP_ENTRY) || letters.startsWith(ZIP_END)) return kindOfZip(letters)
  // A byte order mark may precede the signature.
  const text = letters.replace(/^\xef\xbb\xbf/, '')
  if (isHtml(letters)) return { kind: 'workbook' }
  const sentence = otherKinds.find(([start]) => begins(text, start))?.[1]
  return sentence === undefined ? { kind: 'text' } : other(sentence)
}

/** The kind of a file that was unpacked from gzip. */
export function unpackedKind(head: Uint8Array): FileKind {
  const found = fileKind(head)
  if (found.kind === 'gzip') {
    return other('This file was packed with gzip twice. Unpack it once and upload that.')
  }
  if (found.kind === 'zip') return other(`This is a ZIP archive that was packed with gzip. ${UNPACK}`)
  if (found.kind === 'workbook') {
    return other(
      'This is an Excel workbook that was packed with gzip. Unpack it and upload the .xlsx itself.',
    )
  }
  return found
}

export function latin1(head: Uint8Array): string {
  let letters = ''
  for (const byte of head.subarray(0, KIND_BYTES)) letters += String.fromCharCode(byte)
  return letters
}

const ZIP_ENTRY = 'PK\x03\x04'
const ZIP_END = 'PK\x05\x06'

/** The names of the entries at the beginning of a ZIP. */
function namesInZip(letters: string): string[] {
  const entries = letters.split(ZIP_ENTRY).slice(1)
  return entries.map((entry) => entry.slice(26, 26 + entry.charCodeAt(22) + 256 * entry.charCodeAt(23)))
}

// Excel's files begin with one of these.
const OF_WORKBOOK = /^(\[Content_Types\]\.xml$|_rels\/|docProps\/|customXml\/|xl\/)/

/** Kinds by the name of an entry, or by the beginning of the first entry; the first match counts. */
const zipKinds: readonly [name: RegExp, kind: FileKind][] = [
  [/^(word|ppt|visio)\//, other(`This is a Word or PowerPoint document. ${EXPORT}`)],
  [OF_WORKBOOK, { kind: 'workbook' }],
  [
    /^mimetypeapplication\/vnd\.oasis\.opendocument\.spreadsheet/,
    other(`This is an OpenDocument spreadsheet (.ods). ${SAVE_AS}`),
  ],
  [/^mimetypeapplication\/vnd\.oasis/, other(`This is a LibreOffice document. ${EXPORT}`)],
  [
    /^Index\/|\.iwa$|^Metadata\/|^preview(-\w+)?\.jpg$/,
    other('This is a Numbers spreadsheet. In Numbers choose File, Export To, CSV or Excel, and upload that.'),
  ],
]

function kindOfZip(letters: string): FileKind {
  if (letters.startsWith(ZIP_END)) {
    return other('This is a ZIP archive with nothing in it. Choose your parts list.')
  }
  const first = letters.slice(letters.indexOf('mimetype')).slice(0, 100)
  const names = [...namesInZip(letters), first]
  const found = zipKinds.find(([name]) => names.some((entry) => name.test(entry)))
  return found?.[1] ?? { kind: 'zip' }
}

import { isBomb, MAX_UNPACKED_BYTES } from '#contract/yard-file/file-kind.ts'
import {
  largeWorkbook,
  unpack,
  WorkbookProblem,
  wrongWorkbook,
  type ZippedFile,
  zipEntries,
} from './workbook-zip.ts'

/* A ZIP archive with one file of the yard's parts in it, besides pictures and the like. */

export type ZippedTable = {
  /** Without its folders. */
  readonly name: string
  /** The name in the archive. */
  readonly bytes: number
  /** Its content; each call starts over. Fails with a WorkbookProblem. */
  open(): ReadableStream<Uint8Array<ArrayBuffer>>
}

const MAX_ENTRIES = 20_000
const MAX_NAMED = 5

const TABLE = /\.(csv|tsv|tab|xlsx|xlsm|xls|csv\.gz|tsv\.gz)$/i
/** Notes and pictures that come along, and files that systems add. */
const NOT_A_TABLE =
  /(^|\/)(__MACOSX\/|\.[^/]*$|thumbs\.db$|desktop\.ini$|read[ _-]?me[^/]*$)|\.(jpe?g|png|gif|webp|heic|bmp|tiff?|svg|pdf|docx?|rtf|md|log|html?|exe|zip|7z|rar)$/i

/**
 * Opens the one table in an archive.
 * @throws WorkbookProblem if there is none, if there are several, or if it cannot be read
 */
export async function openZippedTable(blob: Blob): Promise<ZippedTable> {
  const files = await inWords(() => listFiles(blob))
  const tables = files.filter(({ filename }) => TABLE.test(filename))
  const [found, ...others] = tables.length > 0 ? tables : files
  if (!found) throw wrongWorkbook('This ZIP archive has no table in it. Choose your parts list.')
  if (others.length > 0) throw several([found, ...others])
  if (found.encrypted) {
    throw wrongWorkbook('This ZIP archive has a password. Unpack it and upload your parts list.')
  }
  return { name: plainName(found), bytes: found.uncompressedSize, open: () => contentOf(found) }
}

const plainName = ({ filename }: ZippedFile) => filename.slice(filename.lastIndexOf('/') + 1)

async function listFiles(blob: Blob): Promise<ZippedFile[]> {
  const files: ZippedFile[] = []
  let entries = 0
  for await (const entry of zipEntries(blob)) {
    entries += 1
    if (entries > MAX_ENTRIES) {
      throw largeWorkbook(
        'This ZIP archive has more than 20,000 files. Unpack it and upload your parts list.',
      )
    }
    if (!entry.directory && entry.uncompressedSize > 0 && !NOT_A_TABLE.test(entry.filename)) files.push(entry)
  }
  return files
}

function several(files: readonly ZippedFile[]): WorkbookProblem {
  const shown = files.slice(0, MAX_NAMED).map((file) => `“${plainName(file).slice(0, 60)}”`)
  const more = files.length > MAX_NAMED ? ', …' : ''
  return wrongWorkbook(
    `This ZIP archive has ${files.length} tables: ${shown.join(', ')}${more}. Unpack it and upload one of them.`,
  )
}

const tooLarge = () =>
  largeWorkbook('The file in this ZIP archive has more than 2 GB. Split it into several files.')
const bomb = () =>
  largeWorkbook(
    'The file in this ZIP archive unpacks to more than 200 times its size, too much for a parts list. Unpack it and upload your parts list.',
  )

function contentOf(file: ZippedFile): ReadableStream<Uint8Array<ArrayBuffer>> {
  const stop = new AbortController()
  const pieces = unpack(file, stop)
  let bytes = 0
  return new ReadableStream({
    pull: async (out) => {
      const piece = await inWords(() => pieces.next())
      if (piece.done) return out.close()
      // The sizes in a ZIP may be wrong.
      bytes += piece.value.length
      if (bytes > MAX_UNPACKED_BYTES) throw tooLarge()
      if (isBomb(bytes, file.compressedSize)) throw bomb()
      out.enqueue(piece.value)
    },
    cancel: () => stop.abort(),
  })
}

/** DOMExceptions are failures of the disk, or a canceled reading. */
async function inWords<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read()
  } catch (cause) {
    if (cause instanceof WorkbookProblem || cause instanceof DOMException) throw cause
    throw new WorkbookProblem(
      'VALIDATION_FAILED',
      'This ZIP archive is damaged or was cut off. Pack it again, or upload your parts list as it is.',
      { cause },
    )
  }
}

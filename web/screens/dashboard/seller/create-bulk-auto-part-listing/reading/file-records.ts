import { type RecordReader, recordReader } from '#contract/yard-file/records.ts'
import { breather } from '#contract/yard-file/workbook-zip.ts'
import { fileBytes, type OnRead } from './file-bytes.ts'
import { fileTexts } from './file-texts.ts'
import type { FileRow, ImportFile } from './import-file.ts'
import { type Passed, rowNumbering, type SourceRecord } from './row-numbering.ts'

type Source = Pick<ImportFile, 'file' | 'reading' | 'sheets'>

/** So many records are cut without a look at the clock. */
const AT_ONCE = 500

/** The data rows of a file in its order, with the numbers that Excel shows; each call reads it anew. */
export async function* fileRecords(
  source: Source,
  signal?: AbortSignal,
  onRead?: OnRead,
): AsyncGenerator<FileRow[], Passed> {
  const numbering = rowNumbering(source.reading)
  const pause = breather()
  for await (const records of source.sheets.length > 0
    ? sheetRows(source, onRead)
    : textRecords(source, onRead)) {
    signal?.throwIfAborted()
    const rows = numbering.push(records)
    if (rows.length > 0) yield rows
    await pause()
  }
  const rest = numbering.finish()
  if (rest.length > 0) yield rest
  return numbering.passed
}

async function* textRecords(
  { file, reading }: Source,
  onRead?: OnRead,
): AsyncGenerator<readonly SourceRecord[]> {
  const reader = recordReader(reading)
  for await (const text of fileTexts(fileBytes(file, onRead), reading.encoding)) {
    reader.feed(text)
    yield* taken(reader)
  }
  reader.end()
  yield* taken(reader)
}

function* taken(reader: RecordReader): Generator<readonly SourceRecord[]> {
  for (let records = reader.take(AT_ONCE); records.length > 0; records = reader.take(AT_ONCE)) yield records
}

async function* sheetRows(
  { file, reading }: Source,
  onRead?: OnRead,
): AsyncGenerator<readonly SourceRecord[]> {
  // Most people never choose a workbook: its code comes when somebody does.
  const { openWorkbook } = await import('#contract/yard-file/workbook.ts')
  const workbook = await openWorkbook(file)
  for await (const rows of workbook.rows(reading.sheet)) {
    yield rows.map((cells) => ({ cells }))
  }
  onRead?.(1)
}

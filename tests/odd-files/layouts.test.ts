import { describe, expect, test } from 'vitest'
import { fileRecords } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/reading/import-file.ts'
import {
  fileChunks,
  sentReading,
} from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/sending/file-chunks.ts'
import { parts as allParts, type LayoutFile, textFiles, workbookFiles } from './layout-files.ts'
import { type ReadFile, readOnPage, readOnServer } from './odd-file.ts'

/* Whatever the layout of a file, its parts are read cell by cell, by server and page alike, whole and in chunks. */

const files = [...textFiles, ...workbookFiles]

/** The cells of the columns that are known, a row for each part. */
const cellsOf = ({ header, rows }: Pick<ReadFile, 'header' | 'rows'>, { columns }: LayoutFile) =>
  rows.map(({ cells }) =>
    Object.fromEntries(Object.keys(columns).map((name) => [name, cells[header.indexOf(name)]?.trim()])),
  )

const expectedCells = ({ columns, parts = allParts }: LayoutFile) =>
  parts.map((part) => Object.fromEntries(Object.entries(columns).map(([name, read]) => [name, read(part)])))

describe.each(files.map((file): [string, LayoutFile] => [file.name, file]))('%s', (name, file) => {
  test('every cell of every part is read', async () => {
    const bytes = await file.content()
    const read = await readOnServer(bytes)
    expect(cellsOf(read, file)).toEqual(expectedCells(file))
    expect(read.reading.layout).toBe(file.layout)
    expect(read.notes).toEqual(file.notes.map((words) => expect.stringContaining(words)))
    expect(await readOnServer(bytes, undefined, 997)).toEqual(read)
  })

  test('the page reads it the same way, and its chunks', async () => {
    const bytes = await file.content()
    const whole = await readOnServer(bytes)
    const { file: read, ...onPage } = await readOnPage(bytes, name)
    expect({ ...onPage, notes: [...onPage.notes].sort() }).toEqual({
      ...whole,
      notes: [...whole.notes].sort(),
    })
    const order = {
      file: read,
      mapping: {},
      defaults: {},
      mode: 'add',
      dryRun: false,
      chunkSize: 7,
      concurrency: 1,
      edits: new Map(),
      staging: { sellerSlug: 'yard', datasetHint: 'ecomm', timestamp: '2026-11-29' },
    } as const
    const rows: ReadFile['rows'] = []
    for await (const chunk of fileChunks(order, fileRecords(read))) {
      const sent = new Uint8Array(await (await chunk.content()).arrayBuffer())
      const part = await readOnServer(sent, sentReading(order))
      expect(part.header).toEqual(whole.header)
      const ahead = chunk.firstRow - read.reading.headerRow - 1
      rows.push(...part.rows.map((row) => ({ ...row, row: row.row + ahead })))
    }
    expect(rows.map(({ row, cells }) => [row, cells])).toEqual(
      whole.rows.map(({ row, cells }) => [row, cells]),
    )
  })
})

test('a chunk of a report is cut as its first one was, without its header', async () => {
  const [report] = textFiles
  const text = Buffer.from((await report?.content()) ?? '').toString()
  const whole = await readOnServer(new Uint8Array(Buffer.from(text)))
  const { ruler } = whole.reading
  const below = text.split('\r\n').slice(30)
  const read = await readOnServer(new Uint8Array(Buffer.from(below.join('\r\n'))), {
    ...whole.reading,
    ...(ruler && { ruler }),
    headerRow: 0,
  })
  expect(read.rows.at(-1)?.cells).toEqual(whole.rows.at(-1)?.cells)
})

test('a sheet is read alone if it is chosen, with its name as the make', async () => {
  const [book] = workbookFiles
  const bytes = await book?.content()
  const read = await readOnServer(bytes ?? new Uint8Array(), { sheet: 'Tesla' })
  expect(read.rows.filter(({ cells }) => cells.at(-1) === 'Tesla' && cells[1] !== '')).toHaveLength(6)
  expect(read.reading).toMatchObject({ sheet: 'Tesla' })
  expect(read.reading.sheets).toBeUndefined()
  await expect(readOnServer(bytes ?? new Uint8Array(), { sheet: 'Saab' })).rejects.toThrow(
    /has no sheet “Saab”/,
  )
})

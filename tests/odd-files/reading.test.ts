import { describe, expect, test } from 'vitest'
import { madeFiles } from './made-files.ts'
import {
  checkRows,
  keptFiles,
  type OddFile,
  ofLastFile,
  readOnPage,
  readOnServer,
  titleOf,
} from './odd-file.ts'

/* Every odd file is read as expected, by the server and the page alike. */

const LARGE_MS = 60_000
const files = [...keptFiles(), ...madeFiles]

const KINDS = [
  'line break in a cell',
  'huge cell',
  'unclosed quotation mark',
  'no rows or too many columns',
  'not UTF-8',
  'byte order mark',
  'zero bytes',
  'delimiter',
  'headers alike or blank',
  'uneven rows',
  'line ends',
  'packed',
  'not a text file',
  'values to interpret',
  'our own export',
]

const onServerOf = ofLastFile(async ({ content }) => readOnServer(await content()))
const onPageOf = ofLastFile(async ({ content, name }) => readOnPage(await content(), name))

test('there are more than forty files, and at least one of every kind', () => {
  expect(files.length).toBeGreaterThanOrEqual(40)
  const kinds = new Set(files.flatMap(({ expected }) => expected.kinds))
  for (const kind of KINDS) expect(kinds).toContain(kind)
})

describe.each(files.map((file): [string, OddFile] => [titleOf(file), file]))('%s', (_, file) => {
  const { expected } = file

  test('the server reads it', { timeout: LARGE_MS }, async () => {
    const { header, rows, reading, notes } = await onServerOf(file)
    expect(reading).toMatchObject(expected.reading)
    expect(header).toEqual(expected.header)
    expect(notes).toEqual(expected.notes)
    expect(rows.length).toBe(expected.rows)
    const { good, issues } = checkRows(header, rows, expected)
    expect(issues).toEqual(expected.issues)
    for (const [row, fields] of Object.entries(expected.checked))
      expect(good.get(Number(row)), row).toEqual(fields)
  })

  test('the page reads it the same way', { timeout: LARGE_MS }, async () => {
    const onServer = await onServerOf(file)
    if (expected.pageRefuses !== undefined) {
      await expect(onPageOf(file)).rejects.toThrow(expected.pageRefuses)
      return
    }
    const onPage = await onPageOf(file)
    expect(onPage.header).toEqual(onServer.header)
    expect(onPage.reading).toEqual(onServer.reading)
    expect(onPage.rows).toEqual(onServer.rows)
    const { notesOfPage = [] } = expected
    expect(onPage.notes.toSorted()).toEqual([...onServer.notes, ...notesOfPage].toSorted())
    expect(onPage.file.records).toBe(onServer.rows.length)
  })

  test('the meaning of its amounts is reported or asked', async () => {
    if (expected.large || expected.pageRefuses !== undefined) return
    const { file: read } = await onPageOf(file)
    const money = (['partprice', 'partshipping'] as const).flatMap((field) => expected.mapping[field] ?? [])
    expect(read.undecided.filter((header) => money.includes(header))).toEqual(expected.undecided ?? [])
    for (const [field, mark] of Object.entries(expected.decimals ?? {})) {
      expect(read.decimals[expected.mapping[field as 'partprice'] ?? '']).toBe(mark)
    }
  })
})

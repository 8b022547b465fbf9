import { expect, test } from 'vitest'
import { type IdentifiedRow, NO_KEY, PackedRows, unpackedRows } from './plan-rows.ts'

const hex = (start: number) => start.toString(16).padStart(4, '0').repeat(8)
const none = { digest: undefined, part: undefined, stock: undefined, listing: undefined }
const id = '01890a5d-ac96-774b-bcce-b302099a8057'

const rows: IdentifiedRow[] = [
  { ...none, rowNo: 2, key: hex(1), hash: hex(2) },
  {
    ...none,
    rowNo: 3,
    key: hex(3),
    hash: hex(4),
    digest: hex(9).slice(0, 24),
    part: { key: hex(5), hash: hex(6) },
    stock: 'Ä-17',
  },
  { ...none, rowNo: 5, key: id.replaceAll('-', ''), hash: hex(7), listing: { id, changes: true } },
  { ...none, rowNo: 70_000, key: id.replaceAll('-', ''), hash: hex(8), listing: { id, changes: false } },
  { ...none, rowNo: 70_001, key: hex(9), hash: NO_KEY, refused: true },
  { ...none, rowNo: 70_001, key: hex(1), hash: hex(2), part: { key: hex(3), hash: hex(4) } },
  {
    ...none,
    rowNo: 70_001,
    key: hex(5),
    hash: hex(6),
    digest: hex(7),
    part: { key: hex(8), hash: hex(9) },
    stock: 'S-1',
  },
  {
    ...none,
    rowNo: 70_002,
    key: hex(9),
    hash: NO_KEY,
    digest: hex(8).slice(0, 24),
    part: { key: hex(1), hash: NO_KEY },
    stock: '',
    refused: true,
  },
]

test('rows are unpacked as they were packed, numbered after the rows before them', () => {
  const pack = new PackedRows()
  for (const row of rows) pack.add(row)
  expect([...unpackedRows(pack.packed(), 0)].flat()).toEqual(rows)
  expect([...unpackedRows(pack.packed(), 10)].flat().map(({ rowNo }) => rowNo)).toEqual([
    12, 13, 15, 70_010, 70_011, 70_011, 70_011, 70_012,
  ])
})

test('no rows unpack to no rows', () => {
  expect([...unpackedRows(new PackedRows().packed(), 0)]).toEqual([])
})

test('no row is split between two pieces, and batches are small', () => {
  const pack = new PackedRows()
  for (let at = 0; at < 20_000; at++) {
    pack.add({
      ...none,
      rowNo: at,
      key: hex(at),
      hash: hex(at),
      digest: hex(9).slice(0, 24),
      part: { key: hex(1), hash: hex(2) },
      stock: `S-${at}`,
    })
  }
  expect([...pack.pieces()].length).toBeGreaterThan(1)
  const batches = [...pack.pieces()].flatMap((piece) => [...unpackedRows(piece, 0)])
  expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(2_000)
  expect(batches.flat().map(({ rowNo, stock }) => [rowNo, stock])).toEqual(
    Array.from({ length: 20_000 }, (_, at) => [at, `S-${at}`]),
  )
})

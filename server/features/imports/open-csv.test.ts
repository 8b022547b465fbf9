import { Readable } from 'node:stream'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { collect, inPieces, LARGE_MS, MB, read, readText, refusal } from '#tests/support/read-csv.ts'
import { openCsv } from './open-csv.ts'
import type { SentRow } from './row-source.ts'

const shown = (rows: SentRow[]) => rows.map(({ row, cells }) => [row, ...cells])

describe('rows as a spreadsheet shows them', () => {
  test.each([
    ['LF', 'a,b\n1,2\n3,4\n'],
    ['A21 CRLF', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['A21 CR only', 'a,b\r1,2\r3,4\r'],
    ['A21 mixed', 'a,b\r\n1,2\n3,4\r'],
    ['A21 no line end at the end', 'a,b\n1,2\n3,4'],
    ['A21 blank lines at the end', 'a,b\n1,2\n3,4\n\n\r\n\n'],
    ['A21 emptied rows at the end', 'a,b\n1,2\n3,4\n,\n , \n'],
    ['A14 a byte order mark', '\ufeffa,b\n1,2\n3,4\n'],
    ['quotes', '"a","b"\n"1","2"\n"3","4"\n'],
  ])('%s', async (_, csv) => {
    const { header, rows } = await readText(csv)
    expect(header).toEqual(['a', 'b'])
    expect(shown(rows)).toEqual([
      [2, '1', '2'],
      [3, '3', '4'],
    ])
  })

  test('A20 blank lines count, a cell of several lines does not, ragged rows come as they are', async () => {
    const { rows } = await readText('\na,b\n\n"1\n1",2\n3\n4,5,6\n')
    expect(shown(rows)).toEqual([
      [4, '1\n1', '2'],
      [5, '3'],
      [6, '4', '5', '6'],
    ])
  })

  test('quotation marks inside a cell', async () => {
    const { rows } = await readText('a,b\n5" wheel,"say ""hi"""\n"5" wheel",x\n')
    expect(shown(rows)).toEqual([
      [2, '5" wheel', 'say "hi"'],
      [3, '"5" wheel"', 'x'],
    ])
  })

  test('A17 columns of one name, blank ones, and names that every object has', async () => {
    const { header, rows } = await readText('partname,partname,,__proto__\n1,2,3,4\n')
    expect(header).toEqual(['partname', 'partname (2)', 'Column 3', '__proto__'])
    expect(shown(rows)).toEqual([[2, '1', '2', '3', '4']])
  })
})

describe('chunks of a file', () => {
  const header = ['a', 'b (2)', 'Column 3']
  test('with its header line', async () => {
    const first = await readText('a,b,\n1,2,3\n')
    expect((await readText(' a ,b,\n4,5,6\n', first.header)).rows).toEqual([
      { row: 2, cells: ['4', '5', '6'] },
    ])
  })
  test('without it, numbered as if it were there', async () => {
    const { header: same, rows } = await readText('4,5,6\n\n7,8,9\n', header)
    expect(same).toEqual(header)
    expect(shown(rows)).toEqual([
      [2, '4', '5', '6'],
      [4, '7', '8', '9'],
    ])
  })
})

const cell = fc.stringMatching(/^[a-c,"\r\nÄ€🚗 ]{0,6}$/u)
const quoted = (value: string) => (/[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value)
const table = fc
  .record({
    rows: fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { maxLength: 30 }),
    lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
    lastEnd: fc.boolean(),
    packed: fc.boolean(),
  })
  .map(({ rows, lineEnd, lastEnd, packed }) => {
    const all = [['x', 'y', 'z'], ...rows]
    const text = all.map((row) => row.map(quoted).join(',')).join(lineEnd) + (lastEnd ? lineEnd : '')
    const expected = rows
      .map((cells, at) => ({ row: at + 2, cells }))
      .filter(({ cells }) => cells.some((value) => value.trim() !== ''))
    return { bytes: packed ? gzipSync(text) : Buffer.from(text), expected }
  })

test('A8 the same rows however the bytes come', async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 40 }), async ({ bytes, expected }, size) => {
      expect((await read(inPieces(bytes, size))).rows).toEqual(expected)
    }),
  )
})

describe('one row never spoils the others', { timeout: LARGE_MS }, () => {
  test('A10 a field of 10 MB', async () => {
    const { rows } = await readText(`a,b\n1,2\n"${'x'.repeat(10 * MB)}",4\n"5" wheel,6\n`)
    expect(rows.map(({ row, cells }) => [row, cells[0]?.length])).toEqual([
      [2, 1],
      [3, 10 * MB],
      [4, 9],
    ])
  })

  test.each([
    ['A11 of a large file', 'a,b\n1,2\n\n"3,4\n', 4],
    ['A11 in the header', '"a,b\n', 1],
  ])('%s a quotation mark that is never closed ends the reading at once', async (_, start, row) => {
    let pieces = 0
    function* large() {
      yield Buffer.from(start)
      for (pieces = 0; pieces < 300; pieces++) yield Buffer.alloc(MB, 'some,cells\n')
    }
    const reading = openCsv(() => Readable.from(large())).then(({ batches }) => collect(batches))
    await expect(reading).rejects.toThrow(
      `Row ${row} is longer than 16 MB: most likely a quotation mark opens in it and is never closed.`,
    )
    expect(pieces).toBeLessThan(40)
  })

  test('A11 of a small one', async () => {
    expect((await refusal('a,b\n1,2\n3,"4\n5,6\n')).message).toMatch(/^A quotation mark opens in row 3 and/)
  })
})

describe('the stream', () => {
  const rows = Buffer.from(`a,b\n${'1,2\n'.repeat(100_000)}`)

  test('is read as far as rows are taken, and closed when nobody takes more', async () => {
    let taken = 0
    function* counted() {
      for (const piece of inPieces(rows, 4_096)) {
        taken += 1
        yield piece
      }
    }
    const sources: Readable[] = []
    const { batches } = await openCsv(() => {
      sources.push(Readable.from(counted()))
      return sources.at(-1) as Readable
    })
    taken = 0
    for await (const batch of batches) {
      expect(batch.length).toBeLessThanOrEqual(200)
      break
    }
    expect(taken).toBeLessThan(40)
    expect(sources.map(({ destroyed }) => destroyed)).toEqual([true, true])
  })

  test('leaves the event loop to others', async () => {
    let turns = 0
    const counting = setInterval(() => turns++, 0)
    const { batches } = await openCsv(() => Readable.from([rows]))
    let busy = 0
    for await (const _ of batches) {
      const until = performance.now() + 6
      while (performance.now() < until) busy += 1
      if (turns > 3) break
    }
    clearInterval(counting)
    expect(busy).toBeGreaterThan(0)
    expect(turns).toBeGreaterThan(3)
  })

  test('a source that fails is told as it failed', async () => {
    const failing = () =>
      Readable.from(
        (function* () {
          yield gzipSync(rows).subarray(0, 10)
          throw new Error('disk')
        })(),
      )
    await expect(openCsv(failing)).rejects.toThrow('disk')
  })
})

test('a file of more than 3,000,000 rows is refused', { timeout: LARGE_MS }, async () => {
  const count = async (rows: number) => {
    const { batches } = await openCsv(() => Readable.from(inPieces(`a\n${'1\n'.repeat(rows)}`)))
    let found = 0
    for await (const batch of batches) found += batch.length
    return found
  }
  expect(await count(3_000_000)).toBe(3_000_000)
  await expect(count(3_000_001)).rejects.toMatchObject({
    code: 'TOO_LARGE',
    fields: { file: 'The file has more than 3,000,000 rows. Cut it into several files and upload each.' },
  })
})

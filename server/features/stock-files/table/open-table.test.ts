import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { damagedFile, damagedKinds } from '#tests/support/mutated-file.ts'
import { collect, inPieces, LARGE_MS, MB, read, readText, tableOf } from '#tests/support/read-csv.ts'
import { openTable, type SentRow } from './open-table.ts'

const shown = (rows: SentRow[]) => rows.map(({ row, cells }) => [row, ...cells])

describe('rows as a spreadsheet shows them', () => {
  test.each([
    ['LF', 'a,b\n1,2\n3,4\n'],
    ['CRLF', 'a,b\r\n1,2\r\n3,4\r\n'],
    ['CR only', 'a,b\r1,2\r3,4\r'],
    ['mixed', 'a,b\r\n1,2\n3,4\r'],
    ['no line end on the last line', 'a,b\n1,2\n3,4'],
    ['blank lines at the end', 'a,b\n1,2\n3,4\n\n\r\n\n'],
    ['empty rows of commas at the end', 'a,b\n1,2\n3,4\n,\n , \n'],
    ['the DOS end-of-file character', 'a,b\r\n1,2\r\n3,4\r\n\x1a'],
    ['a byte order mark', '\ufeffa,b\n1,2\n3,4\n'],
    ['quotes', '"a","b"\n"1","2"\n"3","4"\n'],
  ])('%s', async (_, csv) => {
    const { header, rows } = await readText(csv)
    expect(header).toEqual(['a', 'b'])
    expect(shown(rows)).toEqual([
      [2, '1', '2'],
      [3, '3', '4'],
    ])
  })

  test('blank lines count, line breaks in a cell do not, and ragged rows keep their cells', async () => {
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

  test('repeated names, blank names, and names that every object has', async () => {
    const { header, rows } = await readText('partname,partname,,__proto__\n1,2,3,4\n')
    expect(header).toEqual(['partname', 'partname (2)', 'Column 3', '__proto__'])
    expect(shown(rows)).toEqual([[2, '1', '2', '3', '4']])
  })
})

describe('chunks of a file', () => {
  const header = ['a', 'b (2)', 'Column 3']
  test('with the header line', async () => {
    const first = await readText('a,b,\n1,2,3\n')
    expect((await readText(' a ,b,\n4,5,6\n', first.header)).rows).toEqual([
      { row: 2, cells: ['4', '5', '6'] },
    ])
  })
  test('without the header line, numbered as if it were there', async () => {
    const { header: same, rows } = await readText('4,5,6\n\n7,8,9\n', header)
    expect(same).toEqual(header)
    expect(shown(rows)).toEqual([
      [2, '4', '5', '6'],
      [4, '7', '8', '9'],
    ])
  })
})

describe('files from any yard', () => {
  const latin = (text: string) => Buffer.from(text, 'latin1')
  const utf16 = (text: string) => Buffer.from(text, 'utf16le')
  test.each<[string, string | Buffer, string[][]]>([
    ['semicolons', 'Part;Price\nDoor;12,50\n', [['Door', '12,50']]],
    ['tabs', 'Part\tPrice\nDoor\t12\n', [['Door', '12']]],
    ['UTF-16LE', utf16('\ufeffPart,Price\nDöör,12\n'), [['Döör', '12']]],
    ['UTF-16BE', utf16('\ufeffPart,Price\nDöör,12\n').swap16(), [['Döör', '12']]],
    ['UTF-16LE without a byte order mark', utf16('Part,Price\nDöör,12\n'), [['Döör', '12']]],
    ['Windows-1252 after 300 kB', latin('Part,Price\nCaf\xe9,12\n'), [['Café', '12']]],
    ['Windows-1252 behind 300 kB', latin(`Part,Price\n${'Door,12\n'.repeat(40_000)}Caf\xe9,1\n`), []],
    ['lines above the header', 'Stock of 11/20/2026\n\nPart,Price\nDoor,12\n', [['Door', '12']]],
    ['packed', gzipSync(latin('Part;Price\nCaf\xe9;12\n')), [['Café', '12']]],
  ])('%s', async (_, content, expected) => {
    const { header, rows, notes } = await readText(content)
    expect(header).toEqual(['Part', 'Price'])
    if (expected.length > 0) expect(rows.map(({ cells }) => cells)).toEqual(expected)
    else expect(rows.at(-1)).toEqual({ row: 40_002, cells: ['Café', '1'] })
    expect(notes.length).toBeGreaterThan(0)
  })

  test('rows keep the numbers of the file they were cut from', async () => {
    const { rows, notes } = await readText('a,b\n1,2\na,b\n3,4\n', undefined, { rowOffset: 3 })
    expect(shown(rows)).toEqual([
      [5, '1', '2'],
      [7, '3', '4'],
    ])
    expect(notes).toEqual(['The header is repeated in row 6. Repeated headers are left out.'])
  })

  test('later chunks are read like the first one', async () => {
    const first = await openTable(tableOf(() => Readable.from(inPieces('Stock\n\nPart;Price\nDoor;1,5\n'))))
    const known = { knownHeader: first.header, knownReading: first.reading }
    const open = (text: string) =>
      openTable(
        tableOf(() => Readable.from(inPieces(text))),
        known,
      )
    const later = await open('Hood;2,5\nTrunk, rear;3,5\n')
    expect(shown(await collect(later.batches))).toEqual([
      [2, 'Hood', '2,5'],
      [3, 'Trunk, rear', '3,5'],
    ])
    const again = await open('Part;Price\nHood;2,5\n')
    expect(shown(await collect(again.batches))).toEqual([[2, 'Hood', '2,5']])
  })

  test('an eBay file gives one row per part, with fitment columns', async () => {
    const { header, rows, reading } = await readText(
      [
        '*Action(SiteID=eBayMotors|Country=US|Currency=USD),CustomLabel,*Title,Relationship,RelationshipDetails,*StartPrice',
        'Add,A1,Door,,,12.00',
        ',,,Compatibility,Year=2012|Make=Ford|Model=F-150,',
        'Add,A2,Hood,,,15.00',
      ].join('\n'),
    )
    expect(reading.layout).toBe('ebay')
    const make = header.indexOf('Fitment make')
    expect(rows.map(({ row, cells }) => [row, cells[1], cells[make]])).toEqual([
      [2, 'A1', 'Ford'],
      [4, 'A2', ''],
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

test('the rows are the same however the bytes are split', async () => {
  await fc.assert(
    fc.asyncProperty(table, fc.integer({ min: 1, max: 40 }), async ({ bytes, expected }, size) => {
      expect((await read(inPieces(bytes, size))).rows).toEqual(expected)
    }),
  )
})

describe('one row never spoils the others', { timeout: LARGE_MS }, () => {
  test('a field of 10 MB', async () => {
    const { rows } = await readText(`a,b\n1,2\n"${'x'.repeat(10 * MB)}",4\n"5" wheel,6\n`)
    expect(rows.map(({ row, cells }) => [row, cells[0]?.length])).toEqual([
      [2, 1],
      [3, 10 * MB],
      [4, 9],
    ])
  })

  test.each([
    ['of a large file', 'a,b\n1,2\n\n"3,4\n', 4],
    ['in the first row', 'a,b\n"3,4\n', 2],
  ])('an unclosed quotation mark, %s, spoils only its row', async (_, start, row) => {
    const large = Buffer.concat([Buffer.from(start), Buffer.alloc(4 * MB, 'some,cells\n')])
    const { batches } = await openTable(tableOf(() => Readable.from(inPieces(large))))
    const bad: number[] = []
    let rows = 0
    for await (const batch of batches) {
      rows += batch.length
      for (const one of batch) if (one.problem) bad.push(one.row)
    }
    expect(bad).toEqual([row])
    expect(rows).toBeGreaterThan(380_000)
  })

  test('an unclosed quotation mark in a small file', async () => {
    expect((await readText('a,b\n1,2\n3,"4\n5,6\n')).rows).toEqual([
      { row: 2, cells: ['1', '2'] },
      { row: 3, cells: ['3', '"4'], problem: 'UNCLOSED_QUOTE' },
      { row: 4, cells: ['5', '6'] },
    ])
  })

  const inches = '"5 lug wheel,12\n17" rim,13\n'

  test('a file that uses quotation marks for inches is read without quoting', async () => {
    const { reading, rows, notes } = await readText(`Part,Price\n${inches.repeat(200)}`)
    expect(reading.quote).toBe('')
    expect(rows[0]).toEqual({ row: 2, cells: ['"5 lug wheel', '12'] })
    expect(notes[0]).toMatch(/^Quotation marks are read as text/)
  })

  test('if only the end of the file shows it, rows are kept and explained, in chunks as in the whole file', async () => {
    const lines = [...Array.from({ length: 20_000 }, (_, at) => `Door ${at},12\n`), inches.repeat(10_000)]
    const all = lines.join('').match(/.*\n/g) ?? []
    const whole = await readText(`Part,Price\n${all.join('')}`)
    expect(whole.rows.length).toBe(40_000)
    expect(whole.rows.filter(({ problem }) => problem === 'UNCLOSED_QUOTE').length).toBe(10_000)
    expect(whole.notes).toEqual([
      '10,000 rows have a quotation mark that is never closed (row 20,002, 20,004, 20,006, 20,008, 20,010, …), so they cannot be read. If the marks are inches, set the quote character to None.',
    ])
    const { header, reading } = whole
    const cut: SentRow[] = []
    for (let from = 0; from < all.length; from += 7_001) {
      const { batches } = await openTable(
        tableOf(() => Readable.from(inPieces(all.slice(from, from + 7_001).join('')))),
        { knownHeader: header, knownReading: { ...reading, rowOffset: from } },
      )
      cut.push(...(await collect(batches)))
    }
    expect(cut).toEqual(whole.rows)
  })
})

describe('the stream', () => {
  const rows = Buffer.from(`a,b\n${'1,2\n'.repeat(100_000)}`)

  test('is read only as far as rows are taken, and closed when reading stops', async () => {
    let taken = 0
    function* counted() {
      for (const piece of inPieces(rows, 4_096)) {
        taken += 1
        yield piece
      }
    }
    const sources: Readable[] = []
    const open = () => {
      sources.push(Readable.from(counted()))
      return sources.at(-1) as Readable
    }
    const { batches } = await openTable(tableOf(open), { overrides: { encoding: 'utf-8' } })
    taken = 0
    for await (const batch of batches) {
      expect(batch.length).toBeLessThanOrEqual(200)
      break
    }
    expect(taken).toBeLessThan(40)
    expect(sources.filter(({ destroyed }) => !destroyed)).toEqual([])
  })

  test('yields to the event loop', async () => {
    let turns = 0
    const counting = setInterval(() => turns++, 0)
    const { batches } = await openTable(tableOf(() => Readable.from([rows])))
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

  test('a failing source rejects with its own error', async () => {
    const failing = () =>
      Readable.from(
        (function* () {
          yield gzipSync(rows).subarray(0, 10)
          throw new Error('disk')
        })(),
      )
    await expect(openTable(tableOf(failing))).rejects.toThrow('disk')
  })
})

test('a file of more than 3,000,000 rows is refused', { timeout: LARGE_MS }, async () => {
  // The extra row arrives in a piece of its own, after all earlier rows were delivered.
  const pieces = [...inPieces(`a\n${'1\n'.repeat(3_000_000)}`), Buffer.from('1\n')]
  const { batches } = await openTable(tableOf(() => Readable.from(pieces)))
  let found = 0
  const count = async () => {
    for await (const batch of batches) found += batch.length
  }
  await expect(count()).rejects.toMatchObject({
    code: 'TOO_LARGE',
    fields: { file: 'The file has more than 3,000,000 rows. Split it into several files and upload each.' },
  })
  expect(found).toBe(3_000_000)
})

// `npm run attack` sends a thousand of each.
const OF_EACH = 40
// All 40 together take a second on idle cores; what hangs never ends.
const LONGEST_MS = 15_000

async function outcomeOf(bytes: Buffer): Promise<'read' | 'refused'> {
  try {
    const table = await openTable(tableOf(() => Readable.from([bytes])))
    for await (const _ of table.batches);
    return 'read'
  } catch (error) {
    expect(error).toMatchObject({ name: 'AppError', status: expect.toSatisfy((status) => status < 500) })
    return 'refused'
  }
}

test.each(damagedKinds)('a %s file with any byte damaged is soon read or refused', async (kind) => {
  const seeds = Array.from({ length: OF_EACH }, (_, seed) => seed)
  const late = sleep(LONGEST_MS, 'hangs' as const, { ref: false })
  const outcomes = await Promise.all(
    seeds.map(async (seed) => [seed, await Promise.race([outcomeOf(await damagedFile(kind, seed)), late])]),
  )
  expect(outcomes.filter(([, outcome]) => outcome === 'hangs')).toEqual([])
  // In a text, a damaged byte may be another letter; the other kinds have checksums.
  if (kind !== 'csv') expect(outcomes.some(([, outcome]) => outcome === 'refused')).toBe(true)
})

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { describeReading, detectReading } from './detect-reading.ts'
import type { ReadingOverride } from './reading.ts'
import { dialectLine } from './records.ts'

const detect = (text: string | Buffer, overrides?: ReadingOverride, whole = true) =>
  detectReading({ bytes: typeof text === 'string' ? Buffer.from(text) : text, whole }, overrides)
const words = (text: string | Buffer) => describeReading(detect(text).reading)

const header = ['Stock #', 'Part', 'Year', 'Make', 'Model', 'Price', 'Notes']
const parts = [
  ['A1', 'Door, left front', '2012', 'Toyota', 'Camry', '129.00', 'Clean, 2 keys'],
  ['A2', 'Wheel', '2014', 'Ford', 'F-150', '85.50', '17" steel; used'],
  ['A3', 'Headlamp', '2009', 'Honda', 'Civic', '45.00', "driver's side"],
  ['A4', 'Hood', '2011', 'Mazda', '3', '1,250.00', ''],
]
const written = (delimiter: string, quote: '"' | "'" | '' = '"', above = '') =>
  above + [header, ...parts].map((cells) => `${dialectLine(cells, { delimiter, quote })}\r\n`).join('')
const raw = (delimiter: string) => [header, ...parts].map((cells) => `${cells.join(delimiter)}\n`).join('')

test.each([
  ['plain', written(','), 'UTF-8, commas, header in row 1'],
  ['semicolons', written(';'), 'UTF-8, semicolons, header in row 1'],
  [
    'semicolons with decimal commas',
    'Part;Price\nDoor;12,50\nHood;1.250,00\n',
    'UTF-8, semicolons, header in row 1',
  ],
  ['tabs', written('\t'), 'UTF-8, tabs, header in row 1'],
  ['pipes', written('|'), 'UTF-8, vertical bars, header in row 1'],
  ['circumflexes', written('^'), 'UTF-8, “^”, header in row 1'],
  ['tildes', written('~'), 'UTF-8, “~”, header in row 1'],
  ['a control character', written('\x1f'), 'UTF-8, the character 0x1F, header in row 1'],
  ['single quotes', written(',', "'"), 'UTF-8, commas, single quotes, header in row 1'],
  [
    'cells that start with a quotation mark',
    [
      header.slice(0, 4),
      ['', '"A', '', '":'],
      ['', '-', '" ,', ','],
      [':', ', ,', '-', ',|,'],
      ['|', ',', ',', ',,'],
    ]
      .map((cells) => `${dialectLine(cells, { delimiter: ',', quote: '"' })}\n`)
      .join(''),
    'UTF-8, commas, header in row 1',
  ],
  [
    'quotation marks that never close',
    raw('|').replaceAll(/\|(Wheel|Headlamp|Hood)/g, '|"$1'),
    'UTF-8, vertical bars, no quotes, header in row 1',
  ],
  ['a title', written(',', '"', 'Inventory export 11/20/2026\n'), 'UTF-8, commas, header in row 2'],
  [
    'a title, blank lines and short rows',
    written(';', '"', "Bob's Auto;Inventory\nExported;11/20/2026\n\n"),
    'UTF-8, semicolons, header in row 4',
  ],
  [
    'a title with empty cells',
    written(',', '"', 'Export 11/20/2026,,,,,,\n,,,,,,\n'),
    'UTF-8, commas, header in row 3',
  ],
  ['no header', written(',').split('\r\n').slice(1).join('\n'), 'UTF-8, commas, no header'],
  [
    'meaningless column names',
    written(',').replace(header.join(','), 'Column1,Column2,Column3,Column4,Column5,Column6,Column7'),
    'UTF-8, commas, header in row 1',
  ],
  [
    'text with vertical bars in every row',
    'Part,Fits,Year\nDoor,a|b|c|d|e,2012\nHood,a|b|c|d|e,2013\n',
    'UTF-8, commas, header in row 1',
  ],
  [
    'only vertical bars in its last row',
    'Stock #,Part\n0,\nA,\na,||||||\n',
    'UTF-8, commas, header in row 1',
  ],
  [
    'two columns, one of lists',
    'Stock #,Fits\nA1,a|b|c|d|e|f|g\nA2,a|b|c|d|e|f|g\n',
    'UTF-8, commas, header in row 1',
  ],
  [
    'a title that could name columns',
    written(';', '"', 'Part, Price\n'),
    'UTF-8, semicolons, header in row 2',
  ],
  ['times in every row', 'Part,In\nDoor,12:30\nHood,11:20\n', 'UTF-8, commas, header in row 1'],
  ['one column', 'partname\nDoor\nHood\n', 'UTF-8, commas, header in row 1'],
  ['nothing', '', 'UTF-8, commas, no header'],
  ['only a header', 'partname,partprice\n', 'UTF-8, commas, header in row 1'],
  ['one-letter names', 'a,b\n1,2\n', 'UTF-8, commas, header in row 1'],
  [
    'UTF-16',
    Buffer.from(`\ufeff${written('\t')}`, 'utf16le'),
    'UTF-16 (little-endian), tabs, header in row 1',
  ],
  [
    'Windows-1252',
    Buffer.from(written(',').replace('Clean', 'caf\xe9'), 'latin1'),
    'Windows-1252, commas, header in row 1',
  ],
  [
    'eBay',
    'Info,Version=1.0.0,Template=fx\n*Action(SiteID=eBayMotors|Country=US|Currency=USD),Custom label (SKU),Title,Start price,Condition ID\nAdd,A1,Door,12.00,3000\n',
    'UTF-8, commas, header in row 2, eBay listings',
  ],
])('%s', (_, text, expected) => {
  expect(words(text)).toBe(expected)
})

test('an explicit setting is kept and adds no note', () => {
  const overrides = { delimiter: ',', headerRow: 2, encoding: 'windows-1252' } as const
  const { reading, notes } = detect(written(';'), overrides)
  expect(reading).toMatchObject(overrides)
  expect(notes).toEqual([])
})

test('sample rows leave out repeated headers, blank lines, and a cut last row', () => {
  const text = `${written(',')}${header.join(',')}\n\n,,,,,,\nA9,Do`
  const { header: names, rows, notes } = detect(text, {}, false)
  expect(names).toEqual(header)
  expect(rows).toEqual(parts)
  expect(notes).toEqual(['The header is repeated in row 6. Repeated headers are left out.'])
})

describe('notes', () => {
  test.each([
    ['a plain file', written(','), []],
    [
      'a file that is not plain',
      Buffer.from(written(';', '"', 'Stock of May\n\n').replace('Clean', 'caf\xe9'), 'latin1'),
      [
        'The file is not UTF-8 and is read as Windows-1252. Check accented letters, and choose another encoding if they look wrong.',
        'The cells of the file are separated by semicolons.',
        'The columns are named in row 3. The rows above it are left out.',
      ],
    ],
  ])('for %s', (_, text, expected) => {
    expect(detect(text).notes).toEqual(expected)
  })
})

test('alternative readings include their first rows', () => {
  const text = Buffer.from('Part;Price\nDoor caf\xe9;12,50\nHood;1,25\nHood;2,25\nHood;3,25\n', 'latin1')
  const { alternatives } = detect(text)
  expect(alternatives.map((other) => other.words)).toEqual([
    'Windows-1252, commas, no header',
    'Mac Roman, semicolons, header in row 1',
    'Windows-1252, semicolons, no header',
    'Windows-1252, semicolons, header in row 2',
  ])
  expect(alternatives[1]).toMatchObject({
    header: ['Part', 'Price'],
    rows: [
      ['Door cafÈ', '12,50'],
      ['Hood', '1,25'],
      ['Hood', '2,25'],
    ],
  })
})

test('a plain file is always read with commas and a header in row 1', () => {
  // Rows of only punctuation could be read in several ways; a part's row starts with its stock number.
  const stock = fc.stringMatching(/^[A-Za-z0-9]{1,6}$/)
  const cell = fc.stringMatching(/^[A-Za-z0-9 .,;|:'"-]{0,12}$/)
  const rows = fc.integer({ min: 2, max: 6 }).chain((width) =>
    fc.array(
      fc
        .tuple(stock, fc.array(cell, { minLength: width - 1, maxLength: width - 1 }))
        .map((row) => row.flat()),
      { minLength: 3, maxLength: 12 },
    ),
  )
  fc.assert(
    fc.property(rows, (table: string[][]) => {
      const names = header.slice(0, table[0]?.length)
      const text = [names, ...table]
        .map((cells) => `${dialectLine(cells, { delimiter: ',', quote: '"' })}\n`)
        .join('')
      expect(words(text)).toBe('UTF-8, commas, header in row 1')
    }),
    {
      examples: [
        [
          [
            ['0', ''],
            ['A', ''],
            ['a', '||||||'],
          ],
        ],
      ],
    },
  )
})

test('a line of thousands of cells is judged as a header by its first thousand', () => {
  const { reading } = detect(`${'Price,'.repeat(1_000)}${'1,'.repeat(4_000)}\n${'1,'.repeat(5_000)}\n`)
  expect(reading.headerRow).toBe(1)
})

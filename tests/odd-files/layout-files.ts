import { standardLine } from '#contract/yard-file/records.ts'
import { type MadeCell, makeWorkbook } from '#tests/support/make-workbook.ts'

/* Files whose layout hides their parts: made by rules, so that every cell of every part is known. */

type Part = Record<
  'stock' | 'year' | 'make' | 'model' | 'part' | 'side' | 'grade' | 'miles' | 'number' | 'price',
  string
>

const cars = [
  ['2011', 'Subaru', 'Outback'],
  ['2008', 'Hyundai', 'Santa Fe'],
  ['2016', 'Ram', '1500'],
  ['2013', 'Land Rover', 'Range Rover'],
  ['2019', 'Tesla', 'Model 3'],
  ['2004', 'Pontiac', 'Grand Am'],
  ['2015', 'Mercedes-Benz', 'C-Class'],
  ['1999', 'Chevrolet', 'S10'],
]
const names = [
  'Steering Column',
  'Quarter Panel Assembly',
  'Front Bumper',
  'Alternator',
  'Rear Door Glass',
  'Transfer Case',
  'Catalytic Converter',
  'Wiper Motor',
  'Spare Tire Carrier',
  'Headlamp',
  'A/C Compressor',
]
const PARTS_OF_CAR = 6

/** The parts of eight cars, always the same ones. */
export const parts: Part[] = Array.from({ length: 8 * PARTS_OF_CAR }, (_, at) => {
  const car = Math.floor(at / PARTS_OF_CAR)
  const [year = '', make = '', model = ''] = cars[car] ?? []
  return {
    stock: `T${4100 + car}-0${1 + (at % PARTS_OF_CAR)}`,
    year,
    make,
    model,
    part: names[(at * 7) % names.length] ?? '',
    side: ['L', '', 'R', ''][at % 4] ?? '',
    grade: 'ABC'.charAt((at * 5) % 3),
    miles: (31_850 + 17_393 * car).toLocaleString('en-US'),
    number: `${20_174_621 + 733_129 * at}`,
    price: ['45.00', '1,325.00', '85.50', '12.75', '240.00'][(at * 3) % 5] ?? '',
  }
})
const donors = cars.map((_, car) => parts.slice(car * PARTS_OF_CAR, (car + 1) * PARTS_OF_CAR))
const donorOf = (of: readonly Part[]) => of[0] ?? (parts[0] as Part)

type Key = keyof Part
export type LayoutFile = {
  name: string
  content: () => Promise<Uint8Array<ArrayBuffer>>
  /** For each column, what each part has there. */
  columns: Readonly<Record<string, (part: Part) => string>>
  layout: string
  /** Words of all notes, in order. */
  notes: string[]
  /** Other than all of them. */
  parts?: Part[]
}

const own = (key: Key) => (part: Part) => part[key]
const columnsOf = (named: Readonly<Record<string, Key>>) =>
  Object.fromEntries(Object.entries(named).map(([name, key]) => [name, own(key)]))

const reportColumns = columnsOf({
  'STOCK NO': 'stock',
  YEAR: 'year',
  MAKE: 'make',
  MODEL: 'model',
  PART: 'part',
  SIDE: 'side',
  GR: 'grade',
  MILES: 'miles',
  'OEM NUMBER': 'number',
  PRICE: 'price',
})
const fileOf = (name: string, content: string, rest: Omit<LayoutFile, 'name' | 'content'>): LayoutFile => ({
  name,
  content: async () => new Uint8Array(Buffer.from(content)),
  ...rest,
})

type Report = { ruler?: boolean; space?: string; page?: number; heads?: readonly (readonly string[])[] }

/** A printed report: columns as wide as their longest cell, numbers to the right, a head on each page, totals at the end. */
function report(
  columns: LayoutFile['columns'],
  { ruler = false, space = '  ', page = 20, heads = [Object.keys(columns)] }: Report,
): string {
  const rows = parts.map((part) => Object.values(columns).map((read) => read(part)))
  const widths = Object.keys(columns).map((_, at) =>
    Math.max(...[...heads, ...rows].map((cells) => cells[at]?.length ?? 0)),
  )
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => {
        const isNumber = /^[\d,.]+$/.test(rows[0]?.[at] ?? '')
        return isNumber ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)
      })
      .join(space)
      .trimEnd()
  const lines: string[] = []
  for (let from = 0; from < rows.length; from += page) {
    lines.push(
      `${from === 0 ? '' : '\f'}BLUFF CITY AUTO PARTS          PARTS ON HAND           PAGE ${1 + from / page}`,
    )
    lines.push('RUN DATE 11/21/2026   TIME 08:14', '', ...heads.map(line))
    if (ruler) lines.push(widths.map((width) => '-'.repeat(width)).join(space))
    lines.push(...rows.slice(from, from + page).map(line), '')
  }
  lines.push(`TOTAL PARTS: ${rows.length}        TOTAL VALUE  45,112.50`, '*** END OF REPORT ***')
  return `${lines.join('\r\n')}\r\n`
}

/** A table copied out of a PDF: spaces of any length between cells, page numbers, dashes for nothing. */
function pasted(header: string, keys: readonly Key[], widest: number): string {
  const lines = parts.flatMap((part, at) => {
    const cells = keys.map((key) => part[key] || '-').map((cell) => cell)
    const line = cells.reduce(
      (text, cell, place) => text + ' '.repeat(1 + ((at * 5 + place * 3) % widest)) + cell,
    )
    if (at > 0 && at % 20 === 0) return [`Page ${at / 20} of 3`, header, line]
    return [line]
  })
  return `${[header, ...lines].join('\n')}\n`
}
const withDash = (key: Key) => (part: Part) => part[key] || '-'

const pastedColumns = (stock: string, number: string) => ({
  [stock]: own('stock'),
  Year: own('year'),
  Make: own('make'),
  Model: own('model'),
  Part: own('part'),
  Side: withDash('side'),
  Grade: own('grade'),
  Miles: own('miles'),
  [number]: own('number'),
  Price: own('price'),
})
const wideColumns = pastedColumns('Stock No', 'OEM Number')
const allKeys: Key[] = ['stock', 'year', 'make', 'model', 'part', 'side', 'grade', 'miles', 'number', 'price']

const csv = (rows: readonly (readonly string[])[]) => rows.map((cells) => `${standardLine(cells)}\n`).join('')
const listHeader = ['Part', 'Side', 'Grade', 'OEM No', 'Price']
const listKeys: Key[] = ['part', 'side', 'grade', 'number', 'price']
const cellsOf = (part: Part, keys: readonly Key[] = listKeys) => keys.map((key) => part[key])

const listColumns = columnsOf({
  Part: 'part',
  Side: 'side',
  Grade: 'grade',
  'OEM No': 'number',
  Price: 'price',
})
const donorColumns = {
  ...listColumns,
  Year: own('year'),
  Make: own('make'),
  Model: own('model'),
  'Stock number': ({ stock }: Part) => stock.slice(0, 5),
  Miles: own('miles'),
}
const donorNote = 'year, make, model, stock number and miles are filled in for the parts below'
const carOf = ({ year, make, model }: Part) => `${year} ${make} ${model}`

const reportNote = 'printed report'
const pastedNote = 'Nothing separates the columns'

export const textFiles: LayoutFile[] = [
  fileOf('ruled-report.txt', report(reportColumns, { ruler: true }), {
    columns: reportColumns,
    layout: 'plain',
    notes: [reportNote, 'named in row 4', 'header is repeated', 'lines are not parts'],
  }),
  fileOf('spaced-report.prn', report(reportColumns, {}), {
    columns: reportColumns,
    layout: 'plain',
    notes: [reportNote, 'named in row 4', 'header is repeated', 'lines are not parts'],
  }),
  fileOf('narrow-report.txt', report(reportColumns, { space: ' ', page: 48 }), {
    columns: reportColumns,
    layout: 'plain',
    notes: [reportNote, 'named in row 4', '2 lines are not parts'],
  }),
  fileOf(
    'names-in-two-lines.txt',
    report(reportColumns, {
      ruler: true,
      heads: [
        ['STOCK', '', '', '', '', '', '', '', 'OEM', ''],
        ['NO', 'YEAR', 'MAKE', 'MODEL', 'PART', 'SIDE', 'GR', 'MILES', 'NUMBER', 'PRICE'],
      ],
    }),
    {
      columns: reportColumns,
      layout: 'plain',
      notes: [reportNote, 'named in row 5', 'header is repeated', 'lines are not parts'],
    },
  ),
  fileOf('pasted.txt', pasted(Object.keys(wideColumns).join('   '), allKeys, 4), {
    columns: wideColumns,
    layout: 'plain',
    notes: [pastedNote, 'header is repeated', 'lines are not parts'],
  }),
  fileOf(
    'pasted-single-spaces.txt',
    pasted('Stock# Year Make Model Part Side Grade Miles OEM # Price', allKeys, 1),
    {
      columns: pastedColumns('Stock#', 'OEM #'),
      layout: 'plain',
      notes: [pastedNote, 'header is repeated', 'lines are not parts'],
    },
  ),
  fileOf(
    'cars-above.csv',
    csv([
      ['What is left on each car', '', '', '', ''],
      listHeader,
      ...donors.flatMap((of) => [
        [
          `${carOf(donorOf(of))}   Stk ${donorOf(of).stock.slice(0, 5)}   ${donorOf(of).miles} miles   silver`,
          '',
          '',
          '',
          '',
        ],
        ...of.map((part) => cellsOf(part)),
        ['', '', '', '', ''],
      ]),
    ]),
    { columns: donorColumns, layout: 'donor lines', notes: ['named in row 2', donorNote] },
  ),
  fileOf(
    'cars-above-their-header.csv',
    csv(
      donors.flatMap((of) => [
        [`Stock # ${donorOf(of).stock.slice(0, 5)}`, carOf(donorOf(of)), '', `${donorOf(of).miles} mi`, ''],
        listHeader,
        ...of.map((part) => cellsOf(part)),
        ['', '', '', '', ''],
      ]),
    ),
    {
      columns: donorColumns,
      layout: 'donor lines',
      notes: ['named in row 2', 'header is repeated', donorNote],
    },
  ),
  fileOf(
    'car-in-its-first-row.csv',
    csv([
      ['Year', 'Make', 'Model', 'Stock #', 'Miles', 'Part', 'Price'],
      ...donors.flatMap((of) =>
        of.map((part, at) => [
          ...(at === 0
            ? [part.year, part.make, part.model, part.stock.slice(0, 5), part.miles]
            : ['', '', '', '', '']),
          part.part,
          part.price,
        ]),
      ),
    ]),
    {
      columns: {
        Year: own('year'),
        Make: own('make'),
        Model: own('model'),
        'Stock #': ({ stock }) => stock.slice(0, 5),
        Miles: own('miles'),
        Part: own('part'),
        Price: own('price'),
      },
      layout: 'cars once',
      notes: ['The vehicle is filled in for 40 rows'],
    },
  ),
  fileOf(
    'quickbooks.csv',
    csv([
      ['Active Status', 'Item', 'Description', 'Cost', 'Price', 'Quantity On Hand'],
      ...donors.flatMap((of) => [
        ['Active', donorOf(of).make, '', '0.00', '0.00', ''],
        ['Active', `${donorOf(of).make}:${donorOf(of).model}`, '', '0.00', '0.00', '0'],
        ...of.map((part) => [
          'Active',
          `${part.make}:${part.model}:${part.stock}`,
          `${part.year} ${part.model} ${part.part.toLowerCase()}, tested`,
          '10.00',
          part.price,
          '1',
        ]),
      ]),
    ]),
    {
      columns: {
        Make: own('make'),
        Model: own('model'),
        'Stock number': own('stock'),
        Description: (part) => `${part.year} ${part.model} ${part.part.toLowerCase()}, tested`,
        Price: own('price'),
      },
      layout: 'item paths',
      notes: ['your QuickBooks item list', '16 items only group other items'],
    },
  ),
  fileOf(
    'woocommerce.csv',
    csv([
      [
        ...['ID', 'Type', 'SKU', 'Name', 'Published', 'Description', 'Stock', 'Regular price', 'Sale price'],
        ...[1, 2, 3].flatMap((number) => [`Attribute ${number} name`, `Attribute ${number} value(s)`]),
      ],
      ...parts.map((part, at) => [
        ...[`${at}`, 'simple', part.stock, part.part, '1', 'Clean.\\nTested', '1'],
        ...(at % 3 === 0 ? ['9999.00', part.price.replace(',', '')] : [part.price.replace(',', ''), '']),
        // Not every product has its attributes in the same order.
        ...(at % 2 === 0
          ? ['Make', part.make, 'Model', part.model, 'Year', part.year]
          : ['Year', part.year, 'Make', part.make, 'Model', part.model]),
      ]),
    ]),
    {
      columns: {
        SKU: own('stock'),
        Name: own('part'),
        Description: () => 'Clean.\nTested',
        Price: ({ price }) => price.replace(',', ''),
        Make: own('make'),
        Model: own('model'),
        Year: own('year'),
      },
      layout: 'woocommerce',
      notes: ['your WooCommerce export', '16 parts have a sale price'],
    },
  ),
  fileOf(
    'magento.csv',
    csv([
      ['sku', 'product_type', 'name', 'product_online', 'price', 'special_price', 'additional_attributes'],
      ...parts.map((part, at) => [
        ...[part.stock, 'simple', part.part, '1'],
        ...(at % 4 === 0 ? ['9999.0000', part.price.replace(',', '')] : [part.price.replace(',', ''), '']),
        `make=${part.make},model=${part.model},note=good, tested,year=${part.year}`,
      ]),
    ]),
    {
      columns: {
        sku: own('stock'),
        price: ({ price }) => price.replace(',', ''),
        Make: own('make'),
        Model: own('model'),
        Note: () => 'good, tested',
        Year: own('year'),
      },
      layout: 'magento',
      notes: ['your Magento export', '12 parts have a sale price'],
    },
  ),
]

const header = ['Model', 'Yr', 'Part', 'L/R', 'Gr', 'Miles', 'Price', 'OEM #']
const sheetKeys: Key[] = ['model', 'year', 'part', 'side', 'grade', 'miles', 'price', 'number']
const sheetColumns = {
  ...Object.fromEntries(header.map((name, at) => [name, own(sheetKeys[at] ?? 'model')])),
  Make: own('make'),
}
const sheetOf = (of: readonly Part[], columns = header) => {
  const keys = columns.map((name) => sheetKeys[header.indexOf(name)] ?? 'model')
  return [
    [`${donorOf(of).make} PARTS`],
    columns,
    ...of.map((part) => keys.map((key): MadeCell => part[key] || null)),
    [],
    [null, null, `${of.length} parts`],
  ]
}
const tableRows = [
  Object.keys(reportColumns),
  ...parts.map((part) => allKeys.map((key): MadeCell => part[key] || null)),
]
const workbookOf = (
  name: string,
  book: Parameters<typeof makeWorkbook>[0],
  rest: Omit<LayoutFile, 'name' | 'content'>,
) => ({
  name,
  content: async () => new Uint8Array(await (await makeWorkbook(book)).arrayBuffer()),
  ...rest,
})
const table = { columns: reportColumns, layout: 'plain' }

export const workbookFiles: LayoutFile[] = [
  workbookOf(
    'sheet-per-make.xlsx',
    {
      sheets: [
        { name: 'READ ME', rows: [['Bluff City parts. One tab per make.']] },
        ...donors.map((of, at) => ({
          name: donorOf(of).make,
          // A sheet may have its columns in another order.
          rows: sheetOf(of, at === 3 ? header.toReversed() : header),
          merged: ['A1:H1'],
        })),
        { name: 'SOLD', rows: sheetOf(parts.slice(0, 5)) },
      ],
    },
    {
      columns: sheetColumns,
      layout: 'plain',
      notes: [
        '8 sheets have the same columns and are read as one list: “Subaru” from row 1, “Hyundai” from row 11',
        '“READ ME”, “SOLD” are not read',
        '8 lines are not parts',
        'named in row 2',
      ],
    },
  ),
  workbookOf(
    'cover-first.xlsx',
    {
      sheets: [
        {
          name: 'Cover',
          rows: [
            ['Yard', 'Bluff City'],
            ['Exported', '11/28/2026'],
            ['Rows', 48],
          ],
        },
        { name: 'Sheet2', rows: [] },
        { name: 'Inventory', rows: tableRows },
        { name: 'Lists', hidden: true, rows: [['Part', 'Make'], ...names.map((name) => [name, 'Ford'])] },
      ],
    },
    { ...table, notes: ['The workbook has 4 sheets; “Inventory” is read.'] },
  ),
  workbookOf(
    'active-sheet.xlsx',
    {
      activeTab: 2,
      sheets: [
        { name: 'Read me', rows: [['Do not edit columns A to C'], ['Call the office with questions']] },
        {
          name: 'Wanted',
          rows: [
            ['Part', 'Make', 'Model', 'Year', 'Asked by'],
            ['Hood', 'Ford', 'Focus', 2012, 'Sam'],
          ],
        },
        { name: 'Parts', rows: tableRows },
      ],
    },
    { ...table, notes: ['The workbook has 3 sheets; “Parts” is read.'] },
  ),
  workbookOf(
    'filtered.xlsx',
    { sheets: [{ name: 'Stock', rows: tableRows, hiddenRows: [3, 9, 10] }] },
    { ...table, notes: ['3 hidden rows are read (rows 3, 9, 10).'] },
  ),
  workbookOf(
    'cars-above.xlsx',
    {
      sheets: [
        {
          name: 'By car',
          rows: [
            listHeader,
            ...donors.flatMap((of): MadeCell[][] => [
              [`${carOf(donorOf(of))} - #${donorOf(of).stock.slice(0, 5)} - ${donorOf(of).miles} mi`],
              ...of.map((part) => cellsOf(part).map((cell): MadeCell => cell || null)),
            ]),
          ],
          merged: donors.map((_, car) => `A${2 + car * 7}:E${2 + car * 7}`),
        },
      ],
    },
    { columns: donorColumns, layout: 'donor lines', notes: [donorNote] },
  ),
]

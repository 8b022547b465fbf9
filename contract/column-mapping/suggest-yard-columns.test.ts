import { describe, expect, test } from 'vitest'
import { type ImportField, importFields } from '#contract/csv/import-fields.ts'
import { type YardExport, yardExports } from '#tests/support/yard-exports.ts'
import { catalogueDictionary } from '#tests/support/yard-stock.ts'
import { MIN_CERTAINTY, suggestColumns } from './suggest-columns.ts'

const specFields = importFields.slice(0, 15)
const catalogue = catalogueDictionary()
const ROWS = 120
const exports = yardExports(ROWS)

const nameless = ({ header }: YardExport) => header.map((_, at) => `Column${at + 1}`)

/** What was suggested under the file's own names, however its columns were called. */
function suggested(file: YardExport, header: string[], dictionary?: typeof catalogue) {
  const found = suggestColumns(header, file.rows, dictionary)
  return new Map(
    Object.entries(found).map(([field, one]) => [
      field as ImportField,
      { ...one, header: file.header[header.indexOf(one.header)] },
    ]),
  )
}

type Found = ReturnType<typeof suggested>

const rightOf = (file: YardExport, found: Found) =>
  specFields.filter(
    (field) => file.mapping[field] !== undefined && found.get(field)?.header === file.mapping[field],
  )
const wrongAndSure = (file: YardExport, found: Found) =>
  [...found].filter(([field, one]) => one.confidence >= MIN_CERTAINTY && one.header !== file.mapping[field])
const expected = (file: YardExport) => specFields.filter((field) => file.mapping[field] !== undefined)

describe.each(exports.map((file): [string, YardExport] => [file.system, file]))('%s', (_, file) => {
  test.each([
    ['with our dictionary', catalogue],
    ['without it', undefined],
  ])('under its own names, %s: every one of the spec’s fields', (_, dictionary) => {
    const found = suggested(file, file.header, dictionary)
    expect(wrongAndSure(file, found)).toEqual([])
    expect(rightOf(file, found)).toEqual(expected(file))
  })

  test.each([
    ['with our dictionary', catalogue, 10],
    ['without it', undefined, 9],
  ])('by its values alone, %s', (_, dictionary, least) => {
    const found = suggested(file, nameless(file), dictionary)
    expect(wrongAndSure(file, found)).toEqual([])
    expect(rightOf(file, found).length).toBeGreaterThanOrEqual(least)
  })
})

test.each([
  [3, 'a'],
  [5, 'b'],
  [8, 'c'],
  [12, 'd'],
] as const)('with %d rows less is certain, and none of it is wrong', (rows, seed) => {
  for (const file of yardExports(rows, seed)) {
    expect(wrongAndSure(file, suggested(file, file.header, catalogue)), file.system).toEqual([])
    expect(wrongAndSure(file, suggested(file, nameless(file), catalogue)), file.system).toEqual([])
  }
})

test('the order of the columns does not matter where every choice is plain', () => {
  for (const file of exports) {
    const turned = {
      ...file,
      header: file.header.toReversed(),
      rows: file.rows.map((row) => row.toReversed()),
    }
    const sure = (found: Found) =>
      [...found].filter(([, one]) => one.sure).map(([field, one]) => [field, one.header])
    expect(sure(suggested(turned, turned.header, catalogue)), file.system).toEqual(
      sure(suggested(file, file.header, catalogue)),
    )
  }
})

const column = (header: string, ...values: string[]) => ({ header, values })

function suggestFor(...columns: ReturnType<typeof column>[]) {
  const rows = (columns[0]?.values ?? []).map((_, row) => columns.map(({ values }) => values[row] ?? ''))
  return suggestColumns(
    columns.map(({ header }) => header),
    rows,
    catalogue,
  )
}

describe('what a header says and the values do not', () => {
  const years = column('Model', '2012', '2009', '2015', '2004', '2011', '2018')
  const models = column('Year', 'Camry', 'F-150', 'Civic', 'Altima', 'Jetta', 'Camry')
  const makes = column('Make', 'Toyota', 'Ford', 'Honda', 'Nissan', 'Volkswagen', 'Toyota')

  test('loses to the column that has them, and needs review', () => {
    const found = suggestFor(makes, years, models)
    expect(found.partyear).toMatchObject({ header: 'Model', sure: false })
    expect(found.partmodel).toMatchObject({ header: 'Year', sure: false })
    expect(found.partmanu).toMatchObject({ header: 'Make', sure: true })
  })

  test.each<[ImportField, ReturnType<typeof column>]>([
    ['partgrade', column('Condition ID', '3000', '3000', '7000', '3000')],
    ['partgrade', column('Grade', 'shelf 3', 'shelf 9', 'shelf 3', 'shelf 1')],
    ['partprice', column('Price', 'call', 'ask us', 'call', 'sold')],
    ['partprice', column('Price', '2012', '2009', '2015', '2004')],
    ['vin', column('VIN', '2012', '2009', '2015', '2004')],
    ['vin', column('VIN', 'unknown', 'see tag', 'unknown', 'none')],
    ['partyear', column('Year', '1/2/2024', '3/4/2024', '1/9/2025', '5/5/2025')],
    ['dealerphone', column('Telephone', 'yes', 'no', 'no', 'yes')],
    ['imageUrl', column('Photos', '3', '1', '0', '4')],
    ['partcategory', column('Category', '33615', '33615', '6030', '179850')],
  ])('is not %s', (field, found) => {
    expect(suggestFor(found)[field]).toBeUndefined()
  })
})

test('the ends of VINs are VINs by their name', () => {
  const ends = column('VIN', '3A004352', 'XKP042788', '3A004399', 'XKP042790')
  expect(suggestFor(ends).vin).toMatchObject({ header: 'VIN', sure: true })
})

describe('what looks like a field and is none', () => {
  const price = column('Price', '$85.00', '$120.00', '$40.00', '$1,299.00', '$65.00')
  test.each([
    column('Our cost', '$12.10', '$20.00', '$9.75', '$300.00', '$11.00'),
    column('Wholesale', '$50.00', '$70.00', '$20.00', '$800.00', '$31.00'),
    column('Bin', 'A12', 'B4', 'C9', 'F30', 'A1'),
    column('Location', 'A12', 'B4', 'C9', 'F30', 'A1'),
    column(
      'Vendor',
      'Ozark Auto Recyclers',
      'Ozark Auto Recyclers',
      'Ozark Auto Recyclers',
      'Ozark Auto Recyclers',
      'x',
    ),
    column('Date in', '1/2/2024', '3/4/2024', '1/9/2025', '5/5/2025', '6/6/2025'),
    column('Fax', '(918) 555-0142', '(918) 555-0142', '(918) 555-0142', '(918) 555-0142', '(918) 555-0142'),
    column('row', '14', '17', '22', '45', '61'),
    column('errors', 'Year is a year from 1920 to 2027', 'Grade must be A, B, C or D', 'x', 'y z', 'No'),
  ])('$header', (decoy) => {
    const found = suggestFor(decoy, price)
    expect(found).toEqual({ partprice: expect.objectContaining({ header: 'Price', sure: true }) })
  })

  test('an interchange number is not the part number if there is one, and never for certain', () => {
    const interchange = column('Interchange', '300-01687', '601-58012L', '105-50123', '545-00871')
    const oem = column('OEM #', 'BL3Z-13008-C', '27060-0V210', '31100-R40-A01', '23100-JA00B')
    expect(suggestFor(interchange, oem)).toEqual({
      partnum: expect.objectContaining({ header: 'OEM #' }),
      partinterchange: expect.objectContaining({ header: 'Interchange' }),
    })
    expect(suggestFor(interchange).partnum?.sure).toBe(false)
  })

  const rows = Array.from({ length: 20 }, (_, at) => at)
  const stock = column('Stock #', ...rows.map((at) => `A${700 + ((at * 37) % 90)}`))
  const prices = column('Column 3', ...rows.map((at) => `${20 + ((at * 7) % 40)}.50`))
  test.each([
    // Of New England, so that they are no larger than prices are.
    ['ZIP codes', rows.map((at) => ['02134', '02139', '01852', '02301', '04101'][at % 5] ?? '')],
    ['a running number', rows.map((at) => String(1_001 + at))],
    ['a running number that begins again', rows.map((at) => String(1_001 + ((at + 5) % 20)))],
  ])('%s: not the price, with or without one beside it', (_what, values) => {
    const numbers = column('Column 2', ...values)
    expect(suggestFor(stock, numbers).partprice).toBeUndefined()
    expect(suggestFor(stock, numbers, prices).partprice).toMatchObject({ header: 'Column 3', sure: true })
  })

  test('values alone separate a price from a shipping cost', () => {
    const found = suggestFor(
      column('Column1', ...Array.from({ length: 40 }, (_, at) => `${20 + 7 * at}.50`)),
      column('Column2', ...Array.from({ length: 40 }, (_, at) => (at % 3 === 0 ? 'Free' : '15.00'))),
    )
    expect(found.partprice).toMatchObject({ header: 'Column1', sure: true })
    expect(found.partshipping).toMatchObject({ header: 'Column2', sure: true })
  })
})

describe('without names, beside a stock number', () => {
  const ROWS_ALONE = 60
  const values = (cellOf: (at: number) => string | number, rows = ROWS_ALONE) =>
    Array.from({ length: rows }, (_, at) => String(cellOf(at)))
  const turn = (texts: readonly string[], rows?: number) =>
    values((at) => texts[at % texts.length] ?? '', rows)
  // No two alike, in no order.
  const mixed = (at: number) => (at * 37) % ROWS_ALONE
  const prices = values((at) => `${40 + 7 * mixed(at)}.50`)
  const deposits = turn(['10.00', '15.00', '25.00'])
  const years = values((at) => 2001 + (mixed(at) % 15))
  const bought = values((at) => 2023 + (at % 3))
  const pages = values((at) => `https://yard.example/item/${at}`)
  const pictures = values((at) => `https://yard.example/${at}.jpg`)
  const zips = turn(['74103', '73102', '74012'])
  const states = turn(['OK'])

  /** What each column was taken for, with “!” if that is sure. */
  function takenFor(...columns: (readonly string[])[]) {
    const stock = column('Stock #', ...values((at) => `A${700 + mixed(at)}`, columns[0]?.length))
    const found = suggestFor(stock, ...columns.map((cells, at) => column(`Column ${at + 2}`, ...cells)))
    return columns.map((_, at) => {
      const [field, { sure }] = Object.entries(found).find(
        ([, { header }]) => header === `Column ${at + 2}`,
      ) ?? ['', { sure: false }]
      return sure ? `${field}!` : field
    })
  }

  test.each<[string, (readonly string[])[], string[]]>([
    ['whole dollars', [values((at) => 20 + 5 * (mixed(at) % 40))], ['partprice']],
    ['a few whole dollars', [values((at) => 20 + 5 * ((at * 5) % 12), 12)], ['partprice']],
    ['numbers that all differ', [values((at) => 1_000 + 7 * mixed(at))], ['']],
    ['counts', [values((at) => 1 + (at % 7))], ['']],
    ['large numbers', [values((at) => 6_000 + 500 * (at % 7))], ['']],
    ['terms of three lengths', [turn(['30', '60', '90'])], ['']],
    ['few amounts again and again', [deposits], ['partprice']],
    ['prices and deposits below them', [prices, deposits], ['partprice!', 'partshipping']],
    ['deposits before prices', [deposits, prices], ['partshipping', 'partprice!']],
    ['two prices', [values((at) => `${20 + 3 * mixed(at)}.25`), prices], ['', 'partprice']],
    ['years', [years], ['partyear!']],
    ['years and prices', [years, prices], ['partyear!', 'partprice!']],
    ['years from and to', [years, values((at) => 2003 + (mixed(at) % 15))], ['partyear', '']],
    ['years before those of purchases', [years, bought], ['partyear', '']],
    ['years after those of purchases', [bought, years], ['', 'partyear']],
    ['pictures', [pictures, pictures], ['imageUrl!', '']],
    ['pages', [pages], ['imageUrl']],
    ['pages before pictures', [pages, pictures], ['', 'imageUrl!']],
    ['grades', [turn(['A', 'B', 'C'])], ['partgrade!']],
    ['one grade', [turn(['A'])], ['partgrade']],
    ['grades with signs', [turn(['A+', 'B', 'A-'])], ['partgrade!']],
    ['words for grades', [turn(['Good', 'Fair', 'Like new'])], ['partgrade']],
    ['VINs', [turn(['1HGCM82633A004352', '1M8GDM9AXKP042788'])], ['vin!']],
    ['VINs with wrong digits', [turn(['1HGCM82643A004352', '1M8GDM9A1KP042788'])], ['vin']],
    ['ZIP codes', [zips], ['zipcode']],
    ['ZIP codes in their state', [zips, states], ['zipcode!', 'partstate!']],
    ['ZIP codes of another state', [zips, turn(['NY'])], ['zipcode', 'partstate!']],
    [
      'ZIP codes and states with gaps',
      [turn(['74103', '73102', '']), turn(['OK', ''])],
      ['zipcode!', 'partstate!'],
    ],
    ['numbers like ZIP codes', [values((at) => 70_000 + 61 * mixed(at)), states], ['', 'partstate!']],
  ])('%s', (_what, columns, taken) => {
    expect(takenFor(...columns)).toEqual(taken)
  })

  test('beside the year, other years are no prices', () => {
    const found = suggestFor(column('Year', ...years), column('Column 2', ...years.toReversed()))
    expect(found).toEqual({ partyear: expect.objectContaining({ header: 'Year', sure: true }) })
  })
})

test('reasons name the evidence', () => {
  const found = suggestFor(
    column('Asking price', '$85.00', '$120.00', '$40.00', '$1,299.00'),
    column('Column2', '2012', '2009', '2015', '2004-2006'),
    column('Make', '', '', '', ''),
    column('Title of it', 'Door', 'Hood', 'Fender', 'Mirror'),
  )
  expect(found.partprice?.reason).toBe('The header says “Asking price”, and 100% of the values are amounts')
  expect(found.partyear?.reason).toBe('100% of the values are years')
  expect(found.partmanu?.reason).toBe('The header says “Make”')
  expect(found.partname?.reason).toBe(
    'The header says “Title of it”, and 100% of the values are names of parts',
  )
})

describe('values decide the meaning of an ambiguous word', () => {
  const parts = ['Alternator', 'Front Door RH', 'Hood', 'Tail Light Left', 'Radiator', 'Grille']
  const columnOf = (field: ImportField, header: string[], cells: readonly (readonly string[])[]) =>
    suggestColumns(
      header,
      Array.from({ length: 60 }, (_, row) => cells.map((values) => values[row % values.length] ?? '')),
      catalogue,
    )[field]?.header

  test('a description that names the parts, where no other column does', () => {
    const header = ['Description', 'Remarks']
    const cells = [parts, ['tested good', '', 'small scratch', 'needs bulb']]
    expect(columnOf('partname', header, cells)).toBe('Description')
    expect(columnOf('partdescription', header, cells)).toBe('Remarks')
    const named = ['Part', 'Description']
    expect(columnOf('partname', named, [parts, parts])).toBe('Part')
    expect(columnOf('partdescription', named, [parts, parts])).toBe('Description')
  })

  test('estado', () => {
    const header = ['Pieza', 'Estado']
    expect(columnOf('partgrade', header, [parts, ['Bueno', 'Excelente', 'Regular']])).toBe('Estado')
    expect(columnOf('partstate', header, [parts, ['Bueno', 'Excelente', 'Regular']])).toBeUndefined()
    expect(columnOf('partstate', header, [parts, ['TX', 'OK', 'Texas', 'Arizona']])).toBe('Estado')
  })

  test('Hollander’s number is the part number of a file that has no other', () => {
    const numbers = parts.map((_, at) => `${200 + at}-0${at}123`)
    expect(columnOf('partnum', ['Part', 'HollanderNum'], [parts, numbers])).toBe('HollanderNum')
    const oem = parts.map((_, at) => `2706${at}-0${at}123`)
    expect(columnOf('partnum', ['Part', 'HollanderNum', 'OEM'], [parts, numbers, oem])).toBe('OEM')
  })

  const sides = ['LH', 'RH', '', 'Left', 'FR', '']
  const shelves = ['A12', 'B3', 'L4', 'Shelf 3', 'R2', 'C1']
  test.each([
    ['Side', sides, true],
    ['Position', ['Front', 'Rear', 'LF', 'RR', 'Upper', ''], true],
    ['Pos', sides, true],
    ['L/R', ['L', 'R', '', 'L', 'R', ''], true],
    ['Location', sides, true],
    ['Location on vehicle', ['Driver Side', 'Passenger', 'Front Left', '', '', ''], true],
    ['Placement on Vehicle', ['Left, Front', 'Right', 'Rear', '', '', ''], true],
    ['Lado', ['Izquierdo', 'Derecho', '', '', '', ''], true],
    ['Seite', ['links', 'rechts', 'vorne links', '', '', ''], true],
    // Words tell; letters alone are for a person to confirm.
    ['Column 2', sides, true],
    ['Column 2', ['L', 'R', '', 'L', 'R', ''], false],
    ['Drvr/Pass', sides, false],
  ])('“%s” with sides', (name, cells, sure) => {
    const rows = Array.from({ length: 60 }, (_, row) => [
      parts[row % parts.length] ?? '',
      cells[row % cells.length] ?? '',
    ])
    expect(suggestColumns(['Part', name], rows, catalogue).partside).toMatchObject({ header: name, sure })
  })

  test.each([
    ['Location', shelves],
    ['Pos', shelves],
    ['Position', ['1', '2', '14', '27', '3', '4']],
    ['Position', ['A', 'B', 'C', 'D', 'L', 'R']],
    ['Side', ['F', 'R', 'F', 'R', 'F', 'R']],
    ['Location', ['Tulsa', 'Reno', 'Tulsa', 'Tulsa', 'Reno', 'Reno']],
    ['Trim', ['LT', 'LS', 'L', 'LTZ', 'SS', 'LT']],
  ])('“%s” with %j is none', (name, cells) => {
    expect(columnOf('partside', ['Part', name], [parts, cells])).toBeUndefined()
  })
})

test('values packed into one cell are no names of parts', () => {
  const rows = ['Alternator', 'Starter', 'Hood'].map((part, at) => [
    `AG${at}`,
    JSON.stringify({ make: 'Ford', model: 'Fusion', part }),
    '65',
  ])
  expect(suggestColumns(['id', 'attributes', 'price'], rows, catalogue).partname).toBeUndefined()
})

test('the heads of a Quebec yard and of short codes find their fields', () => {
  const quebec = suggestColumns(
    ['No inventaire', 'Pièce', 'Côté', 'No pièce', 'Prix', 'Remarques'],
    [
      ['30001', 'Porte avant', 'G', '41319-SNA07', '415,99', 'Bleu'],
      ['30002', 'Phare avant', 'D', '77026-0C029', '60,50 $', ''],
      ['30003', 'Capot', '', '28724332', '310,00', 'Petite égratignure'],
    ],
    catalogue,
  )
  expect(quebec).toMatchObject({
    stocknum: { header: 'No inventaire' },
    partside: { header: 'Côté' },
    partnum: { header: 'No pièce' },
    partdescription: { header: 'Remarques' },
  })
  const short = suggestColumns(
    ['STK', 'PRT', 'IC', 'OEM #', 'OPTIONS', 'RETAIL'],
    [
      ['140100', 'FRT DOOR ASY', '664-56064AL', 'DL8Z-21139-B', 'ELEC, W/MIRROR', '340.00'],
      ['140101', 'STRG WHEEL', '189-21395B', '54151649', 'PWR, HTD', '55.00'],
      ['140102', 'TAIL LAMP', '504-28574AR', 'BU9Z-27166-B', '', '85.00'],
    ],
    catalogue,
  )
  expect(short).toMatchObject({ partinterchange: { header: 'IC' }, partdescription: { header: 'OPTIONS' } })
})

describe('columns of other yards’ programs', () => {
  const parts = ['Radiator', 'Hood', 'Alternator', 'Front Door', 'Grille', 'Fender']
  const rowsOf = (cells: (at: number) => string[]) => Array.from({ length: 60 }, (_, at) => cells(at))
  const column = (header: string[], rows: string[][], field: ImportField) =>
    suggestColumns(header, rows, catalogue)[field]?.header

  test('a condition code is the grade, a British reference the stock number, a plate the year', () => {
    const header = ['Ref', 'Reg', 'Part', 'ConditionCode', 'Price']
    const rows = rowsOf((at) => [
      `BB70${10 + at}`,
      ['62', '67 reg', '09 plate', '15'][at % 4] ?? '',
      parts[at % 6] ?? '',
      ['A', 'B', 'C', 'X'][at % 4] ?? '',
      `${20 + at}.50`,
    ])
    expect(column(header, rows, 'partgrade')).toBe('ConditionCode')
    expect(column(header, rows, 'stocknum')).toBe('Ref')
    expect(column(header, rows, 'partyear')).toBe('Reg')
  })

  const numbers = (at: number) => [`${700_100 + at}`, `P10${10 + Math.floor(at / 4)}-0${at % 4}`]

  test('a part’s own stock number goes before its tag; a car’s does not', () => {
    const header = ['Tag #', 'Stk#', 'Part']
    const own = rowsOf((at) => [...numbers(at), parts[at % 6] ?? ''])
    expect(column(header, own, 'stocknum')).toBe('Stk#')
    const cars = rowsOf((at) => [`${700_100 + at}`, `P10${10 + Math.floor(at / 4)}`, parts[at % 6] ?? ''])
    expect(column(header, cars, 'stocknum')).toBe('Tag #')
  })

  test('the id of a catalog for social networks is the yard’s own number, the id of another file is not', () => {
    const header = ['id', 'title', 'availability', 'image_link']
    const rows = rowsOf((at) => [
      numbers(at)[1] ?? '',
      `2012 Ford F-150 ${parts[at % 6]}`,
      'in stock',
      `https://shop.example/${at}.jpg`,
    ])
    const found = suggestColumns(header, rows, catalogue).stocknum
    expect(found).toMatchObject({ header: 'id', sure: true })
    const other = suggestColumns(['id', 'title', 'kind', 'image_link'], rows, catalogue).stocknum
    expect(other?.sure ?? false).toBe(false)
  })

  test.each(['No inv.', 'Ref. almacén'])('%s is a stock number', (name) => {
    const rows = rowsOf((at) => [numbers(at)[1] ?? '', parts[at % 6] ?? ''])
    expect(column([name, 'Part'], rows, 'stocknum')).toBe(name)
  })

  test('the year is when the car was built, not when it was registered', () => {
    const rows = rowsOf((at) => [
      parts[at % 6] ?? '',
      `0${1 + (at % 9)}/${2008 + (at % 5)}`,
      `${2007 + (at % 5)}`,
    ])
    expect(column(['Teil', 'Erstzulassung', 'Baujahr'], rows, 'partyear')).toBe('Baujahr')
    const alone = rows.map((cells) => cells.slice(0, 2))
    expect(column(['Teil', 'Erstzulassung'], alone, 'partyear')).toBe('Erstzulassung')
  })

  test('kilometers with hard spaces are miles', () => {
    const rows = rowsOf((at) => [parts[at % 6] ?? '', `${100 + at}\u00a0${200 + at}`])
    expect(column(['Pièce', 'Kilométrage'], rows, 'partmiles')).toBe('Kilométrage')
  })

  test('short numbers that all parts of a car share may be its miles, others not', () => {
    const rows = (miles: (car: number, at: number) => string) =>
      rowsOf((at) => [
        parts[at % 6] ?? '',
        `C10${10 + Math.floor(at / 4)}-0${at % 4}`,
        miles(Math.floor(at / 4), at),
      ])
    const header = ['Column 1', 'Column 2', 'Column 3']
    const found = suggestColumns(
      header,
      rows((car) => String(40 + car * 9)),
      catalogue,
    ).partmiles
    expect(found).toMatchObject({ header: 'Column 3', sure: false })
    expect(
      column(
        header,
        rows((_, at) => String(40 + ((at * 37) % 140))),
        'partmiles',
      ),
    ).toBeUndefined()
  })
})

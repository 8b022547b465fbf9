import type { ImportDefaults, ImportField, ImportMapping } from '#contract/csv/import-fields.ts'
import type { Reading } from '#contract/yard-file/reading.ts'
import { standardLine } from '#contract/yard-file/records.ts'
import { type MadeCell, makeWorkbook, zipOf } from '#tests/support/make-workbook.ts'

/* Files as real yards have them, none made for us: what is read, what is mapped, which rows are good. */

type Content = string | Uint8Array<ArrayBuffer> | Blob

export type YardFile = {
  name: string
  about: string
  make: () => Content | Promise<Content>
  reading: Partial<Reading>
  /** What is suggested, besides what is in `unclear`. */
  mapped: ImportMapping
  defaults?: ImportDefaults
  rows: number
  good: number
  /** By row: the field's column, and words of the sentence. */
  errors: [row: number, column: string, words: string][]
  /** Words of each note. */
  notes: string[]
  /** Fields of some good rows. */
  values: Record<number, Partial<Record<ImportField, string>>>
}

const lines = (rows: readonly (readonly string[])[], end = '\n') =>
  rows.map((cells) => `${standardLine(cells)}${end}`).join('')
const joined = (rows: readonly (readonly string[])[], delimiter: string) =>
  rows.map((cells) => `${cells.join(delimiter)}\r\n`).join('')

/** Stock number, part, make, model, year, grade, price. */
const parts: [string, string, string, string, string, string, string][] = [
  ['T4401', 'Alternator', 'Toyota', 'Camry', '2012', 'A', '85.00'],
  ['T4402', 'Tail Light', 'Ford', 'F-150', '2015', 'B', '65.00'],
  ['T4403', 'Radiator', 'Honda', 'Civic', '2009', 'A', '95.50'],
  ['T4404', 'Starter Motor', 'Chevrolet', 'Tahoe', '2017', 'C', '70.00'],
  ['T4405', 'Headlight', 'Nissan', 'Altima', '2011', 'B', '110.00'],
  ['T4406', 'Hood', 'Toyota', 'Corolla', '2014', 'A', '225.00'],
]
const head = ['Stock #', 'Part', 'Make', 'Model', 'Year', 'Grade', 'Price']
const mapped: ImportMapping = {
  stocknum: 'Stock #',
  partname: 'Part',
  partmanu: 'Make',
  partmodel: 'Model',
  partyear: 'Year',
  partgrade: 'Grade',
  partprice: 'Price',
}
const defaults = { partcategory: 'Parts' }
const plain = { reading: {}, mapped, defaults, rows: 6, good: 6, errors: [], notes: [] }
const first = { stocknum: 'T4401', partname: 'Alternator', partmodel: 'Camry', partprice: '85.00' }

const merged = (): Promise<Blob> => {
  const day = (serial: number): MadeCell => ({ value: serial, format: 'm/d/yyyy' })
  return makeWorkbook({
    sheets: [
      {
        name: 'Yard',
        rows: [
          ['Year', 'Make', 'Model', 'Stock #', 'Part', 'OEM #', 'Price', 'Date in'],
          [2012, 'Toyota', 'Camry', 'M-1', 'Alternator', '27060-0V210', 85, day(46_000)],
          [null, null, null, 'M-2', 'Radiator', '16400-0V100', 95, day(46_001)],
          [null, null, null, 'M-3', 'Starter Motor', day(46_128), 70, day(46_001)],
          [2015, 'Ford', 'F-150', 'M-4', 'Tail Light', 'FL3Z-13405-B', 65, day(46_002)],
          [null, null, null, 'M-5', 'Hood', 'FL3Z-16612-A', 225, day(46_003)],
        ],
        merged: ['A2:A4', 'B2:B4', 'C2:C4', 'A5:A6', 'B5:B6', 'C5:C6'],
      },
    ],
  })
}

const html = `<html xmlns:x="urn:schemas-microsoft-com:office:excel"><head><meta charset="utf-8"><style>td { color: "red" }</style></head>
<body><table border=1><tr>${head.map((name) => `<th>${name}</th>`).join('')}</tr>
${parts.map((cells) => `<tr>${cells.map((cell) => `<td nowrap>${cell.replace('-', '&#45;')}</td>`).join('\n')}</tr>`).join('\n')}
</table></body></html>`

const shopify = [
  'Handle,Title,Body (HTML),Vendor,Product Category,Type,Tags,Published,Option1 Name,Option1 Value,Variant SKU,Variant Inventory Qty,Variant Price,Variant Compare At Price,Image Src,Image Position,Year,Make,Model,Status',
  'alt-camry,2012 Toyota Camry Alternator,<p>Tested</p>,Ozark Auto Recyclers,,Alternator,used,true,Title,Default Title,SH-1,1,85.00,120.00,https://cdn.yard.example/1.jpg,1,2012,Toyota,Camry,active',
  'alt-camry,,,,,,,,,,,,,,https://cdn.yard.example/2.jpg,2,,,,',
  'alt-camry,,,,,,,,,,,,,,https://cdn.yard.example/3.jpg,3,,,,',
  'lamp-f150,2015 Ford F-150 Tail Light,<p>Good lens</p>,Ozark Auto Recyclers,,Tail Light,used,true,Side,Left,SH-2L,1,65.00,,https://cdn.yard.example/4.jpg,1,2015,Ford,F-150,active',
  'lamp-f150,,,,,,,,,Right,SH-2R,2,60.00,,,,,,,',
  'lamp-f150,,,,,,,,,,,,,,https://cdn.yard.example/5.jpg,2,,,,',
  'hood-old,2014 Toyota Corolla Hood,,Ozark Auto Recyclers,,Hood,used,false,Title,Default Title,SH-3,1,225.00,,,,2014,Toyota,Corolla,draft',
].join('\n')

const ebayActive = [
  'Item number,Title,Variation details,Custom label (SKU),Available quantity,Format,Currency,Start price,Current price,Sold quantity,Watchers,eBay category 1 name,Condition,Listing site,C:Make,C:Model,C:Year',
  '256100000001,2012 Toyota Camry Alternator OEM,,EB-1,1,FIXED_PRICE,USD,85.00,85.00,0,3,Alternators & Generators,Used,eBay Motors,Toyota,Camry,2012',
  '256100000002,2015 Ford F-150 Tail Light Left,,EB-2,2,FIXED_PRICE,USD,65.00,65.00,1,0,Tail Lights,Used,eBay Motors,Ford,F-150,2015',
].join('\n')

export const yardFiles: YardFile[] = [
  {
    ...plain,
    name: 'joined-exports.csv',
    about: 'Two exports in one file, the second with its columns in another order.',
    make: () => {
      const order = [0, 1, 6, 3, 2, 5, 4]
      const moved = (cells: readonly string[]) => order.map((at) => cells[at] ?? '')
      return lines([head, ...parts.slice(0, 3), moved(head), ...parts.slice(3).map(moved)])
    },
    notes: ['Row 5 names the columns in another order.'],
    values: {
      2: first,
      6: {
        stocknum: 'T4404',
        partname: 'Starter Motor',
        partmodel: 'Tahoe',
        partyear: '2017',
        partprice: '70.00',
      },
    },
  },
  {
    ...plain,
    name: 'powerlink.txt',
    about: 'Tabs, as Powerlink prints them, with trailing units and grades in words.',
    make: () =>
      joined(
        [
          [
            'Stock Number',
            'Part Type',
            'Make',
            'Model',
            'Year',
            'Mileage',
            'Condition',
            'Retail Price',
            'Conditions & Options',
            'Qty',
            'Loc',
          ],
          [
            'H1',
            'Alternator',
            'Toyota',
            'Camry',
            '2012',
            '84,213 mi',
            'Exc',
            '$85.00 ea',
            '130 amp',
            '1 ea',
            'Tulsa',
          ],
          [
            'H2',
            'Tail Light',
            'Ford',
            'F-150',
            '2015',
            '62K miles',
            'Good',
            '65.00 USD',
            'RH, 1 scuff',
            '2 pcs',
            'Joplin',
          ],
          ['H3', 'Radiator', 'Honda', 'Civic', '2009', '', 'OK', '125.00-', '', '1', 'Tulsa'],
          ['H4', 'Hood', 'Honda', 'Civic', '2009', '', 'Good', '(40.00)', '', '1', 'Tulsa'],
        ],
        '\t',
      ),
    reading: { delimiter: '\t' },
    mapped: {
      stocknum: 'Stock Number',
      partmanu: 'Make',
      partmodel: 'Model',
      partyear: 'Year',
      partmiles: 'Mileage',
      partgrade: 'Condition',
      partprice: 'Retail Price',
      partdescription: 'Conditions & Options',
      partquantity: 'Qty',
      partcity: 'Loc',
    },
    defaults: { partcategory: 'Parts', partname: 'Part' },
    rows: 4,
    good: 2,
    errors: [
      [4, 'Retail Price', 'Price is below zero'],
      [5, 'Retail Price', 'Price is below zero'],
    ],
    notes: ['separated by tabs'],
    values: {
      2: { partmiles: '84213', partgrade: 'A', partprice: '85.00', partquantity: '1', partcity: 'Tulsa' },
      3: { partmiles: '62000', partgrade: 'B', partprice: '65.00', partquantity: '2' },
    },
  },
  {
    ...plain,
    name: 'two-headers-with-totals.csv',
    about: 'Columns named in two rows, with totals between and below the parts.',
    make: () =>
      lines([
        ['Stock', 'Part', 'Vehicle', '', '', 'Quality', 'Retail'],
        ['No.', '', 'Make', 'Model', 'Year', 'Grade', 'Price'],
        ...parts.slice(0, 3),
        ['Subtotal', '', '', '', '', '', '245.50'],
        ...parts.slice(3),
        ['Grand total', '', '', '', '', '', '650.50'],
      ]),
    reading: { headerRow: 2, headerRows: 2 },
    mapped: { ...mapped, stocknum: 'Stock No.' },
    rows: 8,
    good: 6,
    errors: [
      [6, '', 'total or a remark'],
      [10, '', 'total or a remark'],
    ],
    notes: ['named in rows 1 and 2 together'],
    values: { 3: first, 9: { stocknum: 'T4406' } },
  },
  {
    ...plain,
    name: 'merged.xlsx',
    about: 'A vehicle merged down over its parts, and a part number that Excel made a date.',
    make: merged,
    mapped: {
      partyear: 'Year',
      partmanu: 'Make',
      partmodel: 'Model',
      stocknum: 'Stock #',
      partname: 'Part',
      partnum: 'OEM #',
      partprice: 'Price',
    },
    rows: 5,
    good: 4,
    errors: [[4, 'OEM #', 'was turned into a date by a spreadsheet: it was probably “4-16” or “4-16-26”']],
    values: {
      3: { partyear: '2012', partmanu: 'Toyota', partmodel: 'Camry', stocknum: 'M-2' },
      6: { partyear: '2015', partmanu: 'Ford', partmodel: 'F-150', stocknum: 'M-5' },
    },
  },
  {
    ...plain,
    name: 'utf-16.txt',
    about: 'Unicode text of Excel: UTF-16 with tabs.',
    make: () => Buffer.from(`\ufeff${joined([head, ...parts], '\t')}`, 'utf16le'),
    reading: { encoding: 'utf-16le', delimiter: '\t' },
    notes: ['UTF-16', 'separated by tabs'],
    values: { 2: first },
  },
  {
    ...plain,
    name: 'stock.zip',
    about: 'A ZIP archive of one table, a read-me and a picture.',
    make: () =>
      zipOf({ 'Export/READ ME.txt': 'Hello', 'Export/stock.csv': lines([head, ...parts]), 'logo.png': 'x' }),
    values: { 2: first },
  },
  {
    ...plain,
    name: 'workbook-in.zip',
    about: 'A ZIP archive of a workbook.',
    make: async () => {
      const workbook = await makeWorkbook({ sheets: [{ name: 'Stock', rows: [head, ...parts] }] })
      return zipOf({ 'stock.xlsx': workbook.stream() })
    },
    values: { 2: first },
  },
  {
    ...plain,
    name: 'year-lists.csv',
    about: 'Years as lists and open ranges.',
    make: () =>
      lines([
        head,
        ...['2008,2009,2010', '2017+', '2012 & up', '2008,2010', '2005, 06, 07', '1998-02'].map(
          (years, at) => parts[at]?.with(4, years) ?? [],
        ),
      ]),
    good: 5,
    errors: [[5, 'Year', 'this list leaves out years']],
    values: {
      2: { partyear: '2008-2010' },
      3: { partyear: '2017-2026' },
      4: { partyear: '2012-2026' },
      6: { partyear: '2005-2007' },
      7: { partyear: '1998-2002' },
    },
  },
  {
    ...plain,
    name: 'piezas.csv',
    about: 'Spanish.',
    make: () =>
      lines([
        [
          'Inventario',
          'Pieza',
          'Categoría',
          'Marca',
          'Modelo',
          'Año',
          'Precio',
          'Ciudad',
          'Teléfono',
          'Descripción',
        ],
        ...parts.map(([stock, name, make, model, year, , price]) => [
          stock,
          name,
          'Motor',
          make,
          model,
          year,
          price,
          'Laredo',
          '956-555-0142',
          'Probado, funciona bien y sin fugas.',
        ]),
      ]),
    mapped: {
      stocknum: 'Inventario',
      partname: 'Pieza',
      partcategory: 'Categoría',
      partmanu: 'Marca',
      partmodel: 'Modelo',
      partyear: 'Año',
      partprice: 'Precio',
      partcity: 'Ciudad',
      dealerphone: 'Teléfono',
      partdescription: 'Descripción',
    },
    values: { 2: { ...first, partcity: 'Laredo' } },
  },
  {
    ...plain,
    name: 'teile.csv',
    about: 'German heads, semicolons and decimal commas, in Windows’ encoding.',
    make: () =>
      Buffer.from(
        joined(
          [
            [
              'Lagernummer',
              'Teil',
              'Kategorie',
              'Hersteller',
              'Modell',
              'Baujahr',
              'Preis',
              'Ort',
              'Land',
              'Händler',
            ],
            ...parts.map(([stock, name, make, model, year, , price]) => [
              stock,
              name,
              'Motor',
              make,
              model,
              year,
              price.replace('.', ','),
              'Köln',
              'NRW',
              'Müller Autoteile',
            ]),
          ],
          ';',
        ),
        'latin1',
      ),
    reading: { delimiter: ';', encoding: 'windows-1252' },
    mapped: {
      stocknum: 'Lagernummer',
      partname: 'Teil',
      partcategory: 'Kategorie',
      partmanu: 'Hersteller',
      partmodel: 'Modell',
      partyear: 'Baujahr',
      partprice: 'Preis',
      partcity: 'Ort',
      partstate: 'Land',
      dealername: 'Händler',
    },
    notes: ['Windows-1252', 'semicolons'],
    values: {
      2: { stocknum: 'T4401', partprice: '85.00', partcity: 'Köln', dealername: 'Müller Autoteile' },
    },
  },
  {
    ...plain,
    name: 'no-names.csv',
    about: 'No header at all.',
    make: () => lines(parts.map((cells) => cells.with(6, `$${cells[6]}`))),
    reading: { headerRow: 0 },
    mapped: {
      partmanu: 'Column 3',
      partmodel: 'Column 4',
      partyear: 'Column 5',
      partgrade: 'Column 6',
      partprice: 'Column 7',
    },
    defaults: { partcategory: 'Parts', partname: 'Part' },
    notes: ['no header row'],
    values: { 1: { partmanu: 'Toyota', partprice: '85.00' } },
  },
  {
    ...plain,
    name: 'notes-around.csv',
    about: 'A title, notes and blank lines above, another table below.',
    make: () =>
      `Bay State Auto Salvage\nInventory as of 11/20/2026\n\n\n${lines([head, ...parts])}\n\nSold last month\n${lines(
        [
          ['Stock #', 'Part', 'Year', 'Make', 'Model', 'Price', 'Sold to'],
          ['S1', 'Door', '2010', 'Ford', 'Focus', '90.00', 'Walk-in'],
          ['S2', 'Hood', '2011', 'Ford', 'Focus', '95.00', 'Walk-in'],
        ],
      )}`,
    reading: { headerRow: 5 },
    notes: ['named in row 5', 'Another table begins in row 15'],
    values: { 6: first },
  },
  {
    ...plain,
    name: 'inventory.xls',
    about: 'A web page with a table, called .xls.',
    make: () => html,
    values: { 2: first, 3: { partmodel: 'F-150' } },
  },
  {
    ...plain,
    name: 'shopify.csv',
    about: 'Shopify’s products, with rows of extra pictures, a variant and a draft.',
    make: () => shopify,
    reading: { layout: 'shopify' },
    mapped: {
      partname: 'Title',
      partdescription: 'Body (HTML)',
      partcategory: 'Type',
      stocknum: 'Variant SKU',
      partquantity: 'Variant Inventory Qty',
      partprice: 'Variant Price',
      imageUrl: 'Image Src',
      partyear: 'Year',
      partmanu: 'Make',
      partmodel: 'Model',
    },
    defaults: {},
    rows: 3,
    good: 3,
    notes: ['your Shopify export', '3 rows of extra pictures', '1 variant', '1 product is a draft'],
    values: {
      2: {
        stocknum: 'SH-1',
        imageUrl:
          'https://cdn.yard.example/1.jpg | https://cdn.yard.example/2.jpg | https://cdn.yard.example/3.jpg',
      },
      5: { imageUrl: 'https://cdn.yard.example/4.jpg | https://cdn.yard.example/5.jpg' },
      6: {
        stocknum: 'SH-2R',
        imageUrl: 'https://cdn.yard.example/4.jpg | https://cdn.yard.example/5.jpg',
        partname: '2015 Ford F-150 Tail Light (Right)',
        partprice: '60.00',
        partmodel: 'F-150',
      },
    },
  },
  {
    ...plain,
    name: 'ebay-all-active-listings.csv',
    about: 'eBay’s report of active listings.',
    make: () => ebayActive,
    reading: { layout: 'ebay' },
    mapped: {
      stocknum: 'Custom label (SKU)',
      partname: 'Title',
      partmanu: 'Fitment make',
      partmodel: 'Fitment model',
      partyear: 'Fitment year',
      partgrade: 'Grade from condition',
      partcategory: 'Part type',
      partprice: 'Start price',
      partquantity: 'Available quantity',
    },
    defaults: {},
    rows: 2,
    good: 2,
    notes: ['This is your eBay file'],
    values: {
      2: { stocknum: 'EB-1', partmanu: 'Toyota', partcategory: 'Alternators & Generators' },
    },
  },
  {
    ...plain,
    name: 'comma-and-space.csv',
    about: 'A comma and a space between cells, and commas without a space in amounts.',
    make: () =>
      joined(
        [
          head,
          ...parts.map((cells, at) =>
            at % 2 === 0 ? cells.with(6, `1,${cells[6]?.padStart(6, '0')}`) : cells,
          ),
        ],
        ', ',
      ),
    reading: { delimiter: ', ' },
    notes: ['commas with a space'],
    values: { 2: { partprice: '1085.00' }, 3: { partprice: '65.00' } },
  },
  {
    ...plain,
    name: 'dated-numbers.csv',
    about: 'Part numbers that a spreadsheet made dates and powers of ten.',
    make: () =>
      lines([
        [...head, 'OEM #'],
        ...['4-Apr', '16-Apr-26', '4/16/2026', '8.79E+11', 'Mar-10', '27060-0V210'].map((number, at) => [
          ...(parts[at] ?? []),
          number,
        ]),
      ]),
    mapped: { ...mapped, partnum: 'OEM #' },
    good: 1,
    errors: [
      [2, 'OEM #', 'probably “4-4” or “APR4”'],
      [3, 'OEM #', 'probably “4-16-26”'],
      [4, 'OEM #', 'probably “4-16-26”'],
      [5, 'OEM #', 'a number of 12 digits that begins with 879'],
      [6, 'OEM #', 'probably “3-10” or “MAR10”'],
    ],
    values: { 7: { partnum: '27060-0V210' } },
  },
  {
    ...plain,
    name: 'checkmate.csv',
    about: 'Checkmate’s heads: Veh Stock #, Asking, StateCode, Interchange and shelves called Loc.',
    make: () =>
      lines([
        [
          'Tag #',
          'Part',
          'Mk',
          'Mdl',
          'Yr',
          'Part Grade',
          'Asking',
          'Loc',
          'City',
          'StateCode',
          'Interchange #',
          'Conditions and Options',
        ],
        ...parts.map(([stock, name, make, model, year, grade, price], at) => [
          stock,
          name,
          make,
          model,
          year,
          grade,
          price,
          `A-${at + 11}`,
          at % 2 ? 'Joplin' : 'Tulsa',
          at % 2 ? 'MO' : 'OK',
          `300-0168${at}`,
          'Tested, no leaks',
        ]),
      ]),
    mapped: {
      stocknum: 'Tag #',
      partname: 'Part',
      partmanu: 'Mk',
      partmodel: 'Mdl',
      partyear: 'Yr',
      partgrade: 'Part Grade',
      partprice: 'Asking',
      partcity: 'City',
      partstate: 'StateCode',
      partdescription: 'Conditions and Options',
    },
    values: { 3: { partcity: 'Joplin', partstate: 'MO' } },
  },
  {
    ...plain,
    name: 'woocommerce.csv',
    about: 'WooCommerce: Type is no category, Stock is how many.',
    make: () =>
      lines([
        [
          'ID',
          'Type',
          'SKU',
          'Name',
          'Published',
          'Short description',
          'Stock',
          'Regular price',
          'Sale price',
          'Categories',
          'Images',
          'Brand',
          'Model',
          'Year',
        ],
        ...parts.map(([stock, name, make, model, year, , price], at) => [
          `${900 + at}`,
          'simple',
          stock,
          `${year} ${make} ${model} ${name}`,
          '1',
          '',
          `${1 + (at % 2)}`,
          price,
          '',
          name,
          `https://shop.yard.example/${at}.jpg`,
          make,
          model,
          year,
        ]),
      ]),
    mapped: {
      stocknum: 'SKU',
      partname: 'Name',
      partquantity: 'Stock',
      partprice: 'Price',
      partcategory: 'Categories',
      imageUrl: 'Images',
      partmanu: 'Brand',
      partmodel: 'Model',
      partyear: 'Year',
    },
    defaults: {},
    notes: ['This is your WooCommerce export'],
    values: { 2: { stocknum: 'T4401', partquantity: '1', partcategory: 'Alternator' } },
  },
]

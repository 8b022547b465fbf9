import { describe, expect, test } from 'vitest'
import { isEbayHeader } from './ebay-columns.ts'
import { ebayFolder, gradeFromCondition, readFitments, summarizeFitments } from './ebay-layout.ts'
import { textOfHtml } from './html-text.ts'

test.each([
  [
    '2007-2011 Toyota Camry Rear Door Shell',
    'Year=2007|Make=Toyota|Model=Camry;Year=2008|Make=Toyota|Model=Camry',
    '2007-2011',
  ],
  [
    '2007-2011 Toyota Camry Rear Door Shell',
    'Year=2007|Make=Toyota|Model=Camry;Year=2009|Make=Toyota|Model=Camry',
    '2007',
  ],
  ['2010-2014 Ford Fusion Hood', 'Year=2011|Make=Lincoln|Model=MKZ', '2011'],
  ['2008-2011 Toyota Camry Hood', 'Year=2007|Make=Toyota|Model=Camry', '2007'],
])('“%s” with rows %s is of %s', (title, details, year) => {
  expect(summarizeFitments(readFitments(details), title).year).toBe(year)
})

const header = [
  '*Action(SiteID=eBayMotors|Country=US|Currency=USD|Version=1193|CC=UTF-8)',
  'CustomLabel',
  '*Title',
  'Relationship',
  'RelationshipDetails',
  '*StartPrice',
  '*ConditionID',
  'PicURL',
  'C:Type',
  '*Description',
]
const item = (sku: string, more: Partial<Record<number, string>> = {}) =>
  Object.assign(['Add', sku, `Headlight ${sku}`, '', '', '85.00', '3000', '', 'Headlight Assembly', ''], more)
const below = (relationship: string, details: string) => [
  '',
  '',
  '',
  relationship,
  details,
  '',
  '',
  '',
  '',
  '',
]
const fits = (details: string) => below('Compatibility', details)

/** All rows of a file, handed in some at a time. */
function fold(rows: string[][], size = rows.length, firstRow = 2) {
  const folder = ebayFolder(header, firstRow)
  const folded: string[][] = []
  for (let at = 0; at < rows.length; at += size) folded.push(...folder.push(rows.slice(at, at + size)))
  folded.push(...folder.finish())
  return { header: folder.header, rows: folded, notes: folder.notes() }
}

/** A folded row under the names of its columns. */
const named = (folded: ReturnType<typeof fold>, at: number) =>
  Object.fromEntries(folded.header.map((name, column) => [name, folded.rows[at]?.[column]]))

describe('whether a header is eBay’s', () => {
  test.each([
    ['File Exchange', header, true],
    ['a draft template', ['Action(SiteID=eBayMotors|Country=US)', 'Title'], true],
    [
      'Seller Hub without its Action column',
      ['Custom label (SKU)', 'Title', 'Start price', 'Condition ID', 'C:Manufacturer Part Number'],
      true,
    ],
    ['active listings', ['Item number', 'Custom label (SKU)', 'Available quantity', 'Start price'], true],
    ['a yard’s own', ['Stock #', 'Title', 'Condition', 'Description', 'SKU', 'Start price'], false],
    ['ours', ['partname', 'partprice', 'action'], false],
  ])('%s', (_, names, expected) => {
    expect(isEbayHeader(names)).toBe(expected)
  })
})

test('rows of fitment go into the item above and leave blank rows', () => {
  const folded = fold([
    item('A1'),
    fits('Year=2013|Make=Ford|Model=F-150|Trim=XLT'),
    fits('Make=Ford|Model=F-150|Year=2012|Trim=XLT'),
    fits('Year=2014|Make=Lincoln|Model=Mark LT'),
    item('A2', { 6: '1000' }),
  ])
  expect(folded.rows.map((cells) => cells[1] ?? '')).toEqual(['A1', '', '', '', 'A2'])
  expect(named(folded, 0)).toMatchObject({
    'Fitment make': 'Ford',
    'Fitment model': 'F-150',
    'Fitment year': '2012-2013',
    'Fitment trim': 'XLT',
    Fitment: '2012-2013 Ford F-150 (trim: XLT); 2014 Lincoln Mark LT',
    'Grade from condition': '',
    'Part type': 'Headlight Assembly',
  })
  expect(named(folded, 4)).toMatchObject({ 'Fitment make': '', 'Grade from condition': 'A' })
  expect(folded.notes).toEqual([])
})

test('rows fold the same however they are split', () => {
  const rows = [
    item('A1', { 4: 'Make=Kia|Model=Rio|Year=2015' }),
    fits('Make=Kia|Model=Rio|Year=2016'),
    [],
    fits('Make=Kia|Model=Rio|Year=2017'),
    item('A2'),
    below('Variation', 'Side=Left'),
    below('Variation', 'Side=Right'),
    ['End', 'A3', '', '', '', '', '', '', '', ''],
    item('A4'),
  ]
  const whole = fold(rows)
  expect(whole.rows).toHaveLength(rows.length)
  for (let size = 1; size < rows.length; size++) expect(fold(rows, size)).toEqual(whole)
})

test('variations are parts with the shared cells; their item is not a part', () => {
  const folded = fold([
    item('M1', { 4: 'Side=Left;Right' }),
    ['', 'M1-L', '', 'Variation', 'Side=Left', '40', '', '', '', ''],
    ['', 'M1-R', '', 'Variation', 'Side=Right', '', '', '', '', ''],
    fits('Make=Kia|Model=Rio|Year=2015'),
  ])
  expect(folded.rows[0]).toEqual([])
  expect(named(folded, 1)).toMatchObject({
    CustomLabel: 'M1-L',
    '*Title': 'Headlight M1 (Left)',
    '*StartPrice': '40',
    'Fitment model': 'Rio',
  })
  expect(named(folded, 2)).toMatchObject({ '*Title': 'Headlight M1 (Right)', '*StartPrice': '85.00' })
})

test('a complete variation is a part even without its item above', () => {
  const { rows, notes } = fold([item('V1', { 3: 'Variation', 4: 'Side=Left' })])
  expect(rows[0]?.[1]).toBe('V1')
  expect(notes).toEqual([])
})

test('a list of too many vehicles drops their details, then is cut', () => {
  const ofTrims = Array.from({ length: 3_000 }, (_, at) =>
    fits(`Make=Kia|Model=Model ${at % 150}|Trim=T ${at}|Year=2015`),
  )
  const rows = named(fold([item('A1'), ...ofTrims]), 0).Fitment?.split('; ')
  expect(rows).toHaveLength(150)
  expect(rows?.slice(0, 2)).toEqual(['2015 Kia Model 0', '2015 Kia Model 1'])
  const vehicles = Array.from({ length: 3_000 }, (_, at) => fits(`Make=Kia|Model=Model ${at}|Year=2015`))
  expect(named(fold([item('A1'), ...vehicles]), 0).Fitment?.split('; ')).toHaveLength(200)
})

test('what is left out is reported with row numbers', () => {
  const ended = ['End', '', '', '', '', '', '', '', '', '']
  const folded = fold(
    [
      fits('Make=Kia|Model=Rio|Year=2015'),
      ended,
      fits('Make=Kia|Model=Rio|Year=2015'),
      ended,
      ['Status', '', '', '', '', '', '', '', '', ''],
      ['#INFO', '', '', '', '', '', '', '', '', ''],
      item('A1'),
    ],
    7,
    3,
  )
  expect(folded.notes).toEqual([
    'Rows 4 and 6 end or delete their listings: left out.',
    'Row 7 has an action that doesn’t list a part: left out.',
    'Row 8 is a note in eBay’s template: left out.',
    'Row 3 is fitment or a variation without its part above it: left out.',
  ])
  expect(folded.rows.filter((cells) => cells.length > 0)).toHaveLength(1)
})

test('a row that is cut short or too long stays so', () => {
  const { rows, header: names } = fold([item('A1').slice(0, 5), [...item('A2'), 'odd']])
  expect(rows[0]).toHaveLength(5)
  expect(rows[1]).toHaveLength(names.length + 1)
  expect(rows[1]?.at(-1)).toBe('odd')
})

test('fitment of another listing is not put into this one', () => {
  const names = ['Action(SiteID=eBayMotors)', 'Item Number', 'Title', 'Relationship', 'Relationship details']
  const folder = ebayFolder(names)
  folder.push([
    ['Revise', '11', 'Headlight', '', ''],
    ['', '12', '', 'Compatibility', 'Make=Kia|Model=Rio|Year=2015'],
  ])
  expect(folder.finish()[0]?.[5]).toBe('')
  expect(folder.notes()).toHaveLength(1)
})

test('an item does not wait forever', () => {
  const folder = ebayFolder(header)
  folder.push([item('A1')])
  const vehicle = fits('Make=Kia|Model=Rio|Year=2015')
  expect(folder.push(Array.from({ length: 7_000 }, () => vehicle))).toHaveLength(7_001)
  expect(folder.notes()[0]).toMatch(/^1,000 rows \(/)
})

test.each([
  [
    'Year=2012|Make=Ford|Model=F-150;Year=2014|Make=Ford|Model=F-150',
    '2012 Ford F-150; 2014 Ford F-150',
    '2012',
  ],
  ['Make=Ford|Model=F-150|Year=2014;2012;2013', '2012-2014 Ford F-150', '2012-2014'],
  ['Make=Ford|Model=F-150|Year=2010-2012\nMake=Ford|Model=Ranger', '2010-2012 Ford F-150', '2010-2012'],
  ['Make=Ford|Model=F-150|Year=2015;2008;2016', '2008 Ford F-150; 2015-2016 Ford F-150', '2015-2016'],
  [
    'Year=2015|Make=Kia|Model=Rio|Engine=1.6L (DOHC), Gas|Notes=Sedan; w/o fog lamps',
    '2015 Kia Rio (engine: 1.6L DOHC Gas, Sedan)',
    '2015',
  ],
  ['Side=Left', '', ''],
  ['nonsense', '', ''],
])('fitment %s', (details, all, year) => {
  expect(summarizeFitments(readFitments(details))).toMatchObject({ all, year })
})

test.each([
  ['3000', ''],
  ['3000-Used', ''],
  ['4000', 'C'],
  ['1000-New', 'A'],
  ['Used', ''],
  ['For parts or not working', 'D'],
  ['Certified – Refurbished', ''],
  ['New other (see details)', ''],
  ['Remanufactured', ''],
  ['9999', ''],
  ['', ''],
])('condition %s is grade “%s”', (condition, grade) => {
  expect(gradeFromCondition(condition)).toBe(grade)
})

test.each([
  ['Plain text, 3 < 4', 'Plain text, 3 < 4'],
  ['<p>OEM part</p><p>Fits&nbsp;2012&ndash;2015 &amp; more</p>', 'OEM part\nFits 2012–2015 & more'],
  ['<style>p{}</style><div>A<br>B&#39;s &#x27;</div><script>x', "A\nB's '"],
])('description %s', (html, text) => {
  expect(textOfHtml(html)).toBe(text)
})

test.each([
  ['/eBay Motors/Parts & Accessories/A/C Compressors & Clutches', 'A/C Compressors & Clutches'],
  ['Parts > Lighting > Headlights', 'Headlights'],
  ['33710', ''],
])('the part type of category %s', (category, type) => {
  const folder = ebayFolder(['Action(SiteID=eBayMotors)', 'Title', 'Category'])
  folder.push([['Add', 'x', category]])
  const names = folder.header
  expect(folder.finish()[0]?.[names.indexOf('Part type')]).toBe(type)
})

test('a list of pictures is kept whole', () => {
  const [row] = fold([item('A1', { 7: 'https://a.example/1.jpg|https://a.example/2.jpg' })]).rows
  expect(row).toContain('https://a.example/1.jpg | https://a.example/2.jpg')
})

describe('the report of active listings', () => {
  const report = [
    'Item number',
    'Title',
    'Variation details',
    'Custom label (SKU)',
    'Available quantity',
    'Format',
    'Start price',
    'Auction Buy It Now price',
    'Current price',
  ]
  const listed = (more: Partial<Record<number, string>>) =>
    Object.assign(
      ['11', '2012 Kia Rio Headlight Left or Right', '', 'K-1', '1', 'FIXED_PRICE', '90.00', '', '90.00'],
      more,
    )
  const read = (...rows: string[][]) => {
    const folder = ebayFolder(report)
    return [...folder.push(rows), ...folder.finish()]
  }

  test('has the price that a buyer pays now, and none for bids', () => {
    const prices = read(
      listed({ 8: '72.50' }),
      listed({ 0: '12', 5: 'AUCTION', 6: '9.99', 8: '31.00' }),
      listed({ 0: '13', 5: 'Auction', 6: '9.99', 7: '80.00', 8: '31.00' }),
      listed({ 0: '14', 8: '' }),
    ).map((cells) => cells[6])
    expect(prices).toEqual(['72.50', '', '80.00', '90.00'])
  })

  test('has variations, each of its own side', () => {
    const titles = read(
      listed({ 2: '[Side=Driver Left]' }),
      listed({ 2: '[Side=Passenger Right]', 3: 'K-2' }),
      listed({ 0: '12', 2: '[Color=Red]' }),
    ).map((cells) => cells[1])
    expect(titles).toEqual([
      '2012 Kia Rio Headlight (Driver Left)',
      '2012 Kia Rio Headlight (Passenger Right)',
      '2012 Kia Rio Headlight Left or Right (Red)',
    ])
  })
})

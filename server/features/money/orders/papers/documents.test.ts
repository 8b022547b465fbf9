import { PDFDocument } from 'pdf-lib'
import { expect, test } from 'vitest'
import { textsOfPage } from '#tests/support/drawn-pdf.ts'
import { documentPdf, printable } from './document-pdf.ts'
import { type DocumentKind, type DocumentPart, documentPage, type OrderDocument } from './documents.ts'

const alternator: DocumentPart = {
  title: '2014 Ford F-150 Alternator',
  quantity: 1,
  grade: 'A',
  partNumber: 'DL3Z-10346-A',
  stockNumber: 'S-118',
  donorVin: '1FTFW1ET5DFC10312',
  miles: 84_200,
  terms: ['90-day warranty', 'No returns'],
  restricted: null,
  shelf: 'Row 4, B2',
}
const order: OrderDocument = {
  number: 'PH-100234',
  placedAt: new Date('2026-11-29T14:00:00Z'),
  paidAt: new Date('2026-11-30T03:00:00Z'),
  shipsBy: new Date('2026-12-04T18:00:00Z'),
  timeZone: 'America/Chicago',
  seller: { name: 'Green Country', address: ['500 Yard Road', 'Tulsa, OK 74107'], phone: '(918) 555-0199' },
  buyer: { name: 'Ruth Amador', address: ['12 Elm Street', 'Apt 4', 'Tulsa, OK 74101'] },
  delivery: 'ship',
  vin: '1FTFW1ET5DFC10999',
  vinConfirmed: true,
  parts: [alternator],
  lines: [
    { kind: 'part', cents: 11_500 },
    { kind: 'shipping', cents: 2_000 },
    { kind: 'core', cents: 7_500 },
    { kind: 'tax', cents: 0 },
  ],
  totalCents: 21_000,
  capturedCents: 21_000,
  refunds: [],
  core: null,
  state: 'TX',
  coreDays: 30,
  site: { productName: 'PartHarbor', publicUrl: 'https://parts.example' },
}

async function read(kind: DocumentKind, change: Partial<OrderDocument> = {}) {
  const bytes = await documentPdf(kind, { ...order, ...change })
  expect(Buffer.from(bytes.subarray(0, 5)).toString()).toBe('%PDF-')
  const pdf = await PDFDocument.load(bytes, { updateMetadata: false })
  const pages = pdf.getPages().map(textsOfPage)
  return { bytes, pdf, pages, texts: pages.flat() }
}

test('a packing slip says what the package has in it, for whom and that it is used', async () => {
  const { pdf, texts } = await read('slip')
  expect(pdf.getTitle()).toBe('Packing slip PH-100234')
  expect(texts).toEqual([
    ...['USED', 'Packing slip PH-100234'],
    ...['Order', 'PH-100234', 'Ordered', 'Sun, Nov 29, 2026', 'Ship by', 'Fri, Dec 4, 2026'],
    ...['For VIN', '1FTFW1ET5DFC10999, fit confirmed by the yard'],
    ...['Ship to', 'Ruth Amador', '12 Elm Street', 'Apt 4', 'Tulsa, OK 74101'],
    ...['From', 'Green Country', '500 Yard Road', 'Tulsa, OK 74107', '(918) 555-0199'],
    ...['2014 Ford F-150 Alternator', 'Condition', 'Used, grade A', 'Part number', 'DL3Z-10346-A'],
    ...['Stock number', 'S-118', 'From VIN', '1FTFW1ET5DFC10312', 'Miles', '84,200', 'Shelf', 'Row 4, B2'],
    ...['90-day warranty', 'No returns'],
    ...[
      '$115.00',
      'Used part',
      '$20.00',
      'Shipping',
      '$75.00',
      'Core charge',
      '$210.00',
      'Total',
      '$210.00',
      'Paid',
    ],
    'Core charge',
    '$75.00 is refunded when you return the old part within 30 days of delivery. Sales tax on it may not come',
    'back.',
    'Questions about your order: https://parts.example/orders',
    'Packing slip PH-100234, page 1 of 1',
  ])
})

test('an invoice has date, seller, buyer, amounts and refunds', async () => {
  const { texts } = await read('invoice', {
    refunds: [{ at: new Date('2026-12-05T12:00:00Z'), cents: 2_050 }],
  })
  const after = (label: string) => texts[texts.indexOf(label) + 1]
  expect(after('USED')).toBe('Invoice PH-100234')
  // In the evening of the 29th at the yard.
  expect(after('Date')).toBe('Sun, Nov 29, 2026')
  expect(after('Seller')).toBe('Green Country')
  expect(after('Buyer')).toBe('Ruth Amador')
  expect(
    texts.slice(texts.indexOf('$210.00'), texts.indexOf('Core charge', texts.indexOf('$210.00'))),
  ).toEqual([
    ...['$210.00', 'Total', '$210.00', 'Paid', '-$20.50', 'Refunded Sat, Dec 5, 2026'],
    ...['$189.50', 'Paid after refunds'],
  ])
  expect(texts).not.toContain('Shelf')
})

test('the invoice of a restricted part shows number and donor VIN even if they are missing', async () => {
  const bag = {
    ...alternator,
    title: 'Passenger Air Bag',
    partNumber: null,
    donorVin: null,
    restricted: 'Never deployed. Ships as hazardous material (UN3268, class 9, “Recycled”)',
  }
  const { texts } = await read('invoice', { parts: [bag] })
  expect(texts[texts.indexOf('Part number') + 1]).toBe('Not stated')
  expect(texts[texts.indexOf('From VIN') + 1]).toBe('Not stated')
  expect(texts.join('\n')).toContain('UN3268')
  const { texts: plain } = await read('invoice', { parts: [{ ...alternator, donorVin: null }] })
  expect(plain).not.toContain('From VIN')
})

test('a part that is fetched has no address of a buyer', async () => {
  const { texts } = await read('slip', { delivery: 'pickup' })
  expect(texts).toContain('Ready by')
  expect(texts).toContain('Picked up at the yard')
  expect(texts).not.toContain('12 Elm Street')
})

test.each([
  ['emoji', { title: '🚗💨 Left door 👩🏽‍🔧' }, 'Left door'],
  ['a title of 200 characters without spaces', { title: 'W'.repeat(200) }, /^W{20,60}$/],
  ['accents that the font lacks', { title: 'Łódź Čapek bumper' }, 'Lódz Capek bumper'],
  ['a Cyrillic title', { title: 'Дверь' }, 'Dver'],
  ['line breaks and controls', { title: 'Hood\r\n\u0000USED\u202e' }, 'Hood USED'],
  ['an unpaired surrogate', { title: 'Hood \ud83d end' }, 'Hood ? end'],
] as const)('prints %s', async (_name, change, expected) => {
  for (const kind of ['slip', 'invoice'] as const) {
    const { texts } = await read(kind, { parts: [{ ...alternator, ...change }] })
    expect(texts).toContainEqual(typeof expected === 'string' ? expected : expect.stringMatching(expected))
  }
})

test('says so where it cannot print a name', async () => {
  const { texts } = await read('slip', { buyer: { ...order.buyer, name: '王伟' } })
  expect(texts).toContain('??')
  expect(texts.join(' ')).toContain('is a character that this file cannot show')
  expect((await read('slip')).texts.join(' ')).not.toContain('cannot show')
  expect((await read('slip', { buyer: { ...order.buyer, name: 'Who?' } })).texts.join(' ')).not.toContain(
    'cannot show',
  )
  expect(documentPage('slip', { ...order, buyer: { ...order.buyer, name: '王伟' } })).toContain('王伟')
})

test('turns the page for many parts, and numbers the pages', async () => {
  const { pages } = await read('slip', { parts: Array.from({ length: 12 }, () => alternator) })
  expect(pages.length).toBeGreaterThan(2)
  expect(pages.map((texts) => texts.at(-1))).toEqual(
    pages.map((_, at) => `Packing slip PH-100234, page ${at + 1} of ${pages.length}`),
  )
})

test('the same order gives the same bytes', async () => {
  const [first, second] = [await read('invoice'), await read('invoice')]
  expect(Buffer.from(first.bytes).equals(Buffer.from(second.bytes))).toBe(true)
})

test('the page says the same, and runs nobody’s script', () => {
  const page = documentPage('invoice', {
    ...order,
    parts: [{ ...alternator, title: '<script>alert(1)</script>' }],
  })
  expect(page).toContain('<h1>USED</h1>\n<h1>Invoice PH-100234</h1>')
  expect(page).toContain('<dt>From VIN</dt><dd>1FTFW1ET5DFC10312</dd>')
  expect(page).toContain('<tr><th align="left">Total</th><th align="right">$210.00</th></tr>')
  expect(page).not.toContain('<script')
})

test('what the font has is kept', () => {
  const all = () => true
  expect(printable('“Café” – 5 × 3', all)).toBe('“Café” – 5 × 3')
  expect(printable('x'.repeat(900), all)).toHaveLength(600)
})

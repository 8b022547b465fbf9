import { describe, expect, test } from 'vitest'
import type { ImportField, ImportMapping } from '#contract/csv/import-fields.ts'
import { saleStates } from '#server/features/finding/vocabulary/sale-states.ts'
import { countFacts, joinFacts } from './column-facts.ts'
import { answeredStates, answersToKeep, openQuestions } from './open-questions.ts'
import { combineAnswers, fittingAnswers, readAnswers, type SentAnswers } from './questions.ts'

type File = {
  header: readonly string[]
  rows: readonly (readonly string[])[]
  mapping: ImportMapping
  suggested?: readonly ImportField[]
  answers?: SentAnswers
}

function asked({ header, rows, mapping, suggested = [], answers: sent = {} }: File) {
  const answers = readAnswers(sent, header)
  if (!Array.isArray(answers)) throw new Error(answers.sentence)
  const count = (part: File['rows'], isFirst: boolean) => {
    const facts = countFacts({ header, mapping, asMapped: mapping, saleStates, isFirst })
    for (const cells of part) facts.add(cells)
    return facts.facts()
  }
  const whole = count(rows, true)
  // In pieces it is the same, but for what needs the row before.
  const pieces = rows.map((row, at) => count([row], at === 0))
  const [first = whole, ...others] = pieces
  const joined = others.reduce(joinFacts, first)
  expect(joined.currencies).toEqual(whole.currencies)
  expect(joined.states).toEqual(whole.states)
  expect(joined.miles).toEqual(whole.miles)
  return { header, mapping, facts: whole, answers, suggested: new Set(suggested), saleStates }
}

const ids = (file: File) => openQuestions(asked(file)).map(({ id }) => id)
const column = (header: string, values: readonly string[], more: Partial<File> = {}): File => ({
  header: ['Part', header],
  rows: values.map((value, at) => [['Hood', 'Fender', 'Radio'][at % 3] ?? '', value]),
  mapping: { partname: 'Part', partprice: header },
  ...more,
})
const times = (count: number, values: readonly string[]) =>
  Array.from({ length: count }, (_, at) => values[at % values.length] ?? '')

test('amounts with a currency of their own get no dollar sign in a question', () => {
  const file = column('Column 2', times(24, ['156,50 €', '194,00 €', '97,50 €']), {
    suggested: ['partprice'],
  })
  const question = openQuestions(asked(file)).find(({ kind }) => kind === 'price')
  expect(question?.sentence).toContain('First parts would cost 156,50 € and 194,00 €.')
})

test('the price that a shop file’s two prices make is not asked about', () => {
  const header = ['Type', 'SKU', 'Published', 'Regular price', 'Sale price', 'Price']
  const rows = times(9, ['85.00', '70.00']).map((price, at) => [
    'simple',
    `W-${at % 2}`,
    '1',
    '85.00',
    '',
    price,
  ])
  expect(ids({ header, rows, mapping: { partprice: 'Price' }, suggested: ['partprice'] })).toEqual([])
})

test('short numbers without a name, the same for each car, are asked about once they are suggested as miles', () => {
  const header = ['Column 1', 'Column 2']
  const rows = times(24, ['60', '44', '197', '87']).map((miles, at) => [`C${at % 4}-01`, miles])
  const file = { ...asked({ header, rows, mapping: { partmiles: 'Column 2' } }), milesAs: 'thousands' }
  const suggested = new Set<ImportField>(['partmiles'])
  expect(openQuestions({ ...file, suggested }).map(({ sentence }) => sentence)).toEqual([
    'What are the numbers in “Column 2”? It has “60” and “44” and “197”.',
  ])
  expect(openQuestions(file)).toEqual([])
  expect(openQuestions({ ...file, suggested, header: ['Stock', 'Miles'] })).toEqual([])
})

describe('amounts that look like codes', () => {
  test.each<[string, string, string[], string[]]>([
    ['ZIP codes', 'Loc', times(9, ['74103', '74120', '73013']), ['price:Loc']],
    ['one number for each kind of part', 'Type', times(18, ['117', '110', '638']), ['price:Type']],
    ['a price for each kind of part that says so', 'Price', times(18, ['117', '110', '45']), []],
    ['amounts with cents', 'Column 2', times(18, ['92.50', '33.00', '40.50']), []],
    ['amounts with a sign', 'Column 2', times(18, ['$117', '$110', '$45']), []],
    ['whole amounts that differ', 'Amt', times(18, ['60', '45', '75', '30', '90', '55', '40']), []],
    ['a few rows', 'Column 2', ['60', '61', '62'], []],
  ])('%s', (_, header, values, expected) => {
    expect(ids(column(header, values))).toEqual(expected)
  })

  test('a code that another cell begins with, wherever both are', () => {
    const rows = [
      ['638', 'Radio', '638-66387', '92.50'],
      ['320', 'Throttle Body', '320-12856A', '33.00'],
    ]
    const header = ['Price', 'Part', 'Interchange', 'Amount']
    expect(ids({ header, rows, mapping: { partprice: 'Price' } })).toEqual(['price:Price'])
  })

  test('a suggestion without a name or cents is asked about, and one beside a better one', () => {
    const whole = column('Column 2', times(18, ['60', '45', '75', '30', '90', '55', '40']))
    expect(ids({ ...whole, suggested: ['partprice'] })).toEqual(['price:Column 2'])
    const two = (partprice: string, header: readonly string[]) =>
      ids({
        ...{ header, mapping: { partprice }, suggested: ['partprice'] },
        rows: [times(header.length, ['80.00', '60.00']), times(header.length, ['90.00', '70.00'])],
      })
    expect(two('List', ['List', 'Net'])).toEqual(['price:List'])
    expect(two('Net', ['List', 'Net'])).toEqual([])
    expect(two('Internet Price', ['Price', 'Internet Price', 'Wholesale', 'Core'])).toEqual([])
    expect(two('Price', ['Price', 'Internet Price'])).toEqual(['price:Price'])
    expect(two('Purchase price', ['Purchase price', 'Notes'])).toEqual(['price:Purchase price'])
    expect(two('Retail', ['Retail', 'Core charge', 'Cost'])).toEqual([])
  })
})

describe('answers', () => {
  const pesos = column('Precio', ['$100 MXN', '$200 MXN'])

  test('for one currency do not go for another in a later file', () => {
    const first = asked({ ...pesos, answers: { 'currency:Precio': 0.05 } })
    expect(openQuestions(first)).toEqual([])
    const kept = answersToKeep(first)
    expect(kept).toMatchObject([{ currency: 'MXN', use: 0.05 }])
    const later = asked(column('Precio', ['€100', '€200']))
    expect(openQuestions({ ...later, answers: combineAnswers([], kept) })).toMatchObject([
      { id: 'currency:Precio' },
    ])
    expect(openQuestions({ ...asked(pesos), answers: combineAnswers([], kept) })).toEqual([])
    // A program sends the same answer with every file.
    const again = readAnswers({ 'currency:Precio': 0.05 }, pesos.header)
    const sent = Array.isArray(again) ? combineAnswers(again, kept) : []
    expect(openQuestions({ ...later, answers: sent })).toHaveLength(1)
    expect(openQuestions({ ...asked(pesos), answers: sent })).toEqual([])
  })

  test('go for columns that are written otherwise', () => {
    const kept = answersToKeep(asked({ ...pesos, answers: { 'currency:Precio': 0.05 } }))
    const other = asked(column('PRECIO ', ['$100 MXN', '$200 MXN']))
    const answers = combineAnswers([], fittingAnswers(kept, other.header))
    expect(answers).toMatchObject([{ id: 'currency:PRECIO ', column: 'PRECIO ' }])
    expect(openQuestions({ ...other, answers })).toEqual([])
    expect(fittingAnswers(kept, ['Part', 'Cost'])).toEqual([])
  })

  test('that chose another price column go only for a file with the same reason', () => {
    const codes: File = {
      header: ['Column 1', 'Column 2', 'Column 3'],
      rows: [
        ['638', '638-66387', '92.50'],
        ['320', '320-12856A', '33.00'],
      ],
      mapping: { partprice: 'Column 1' },
    }
    const kept = answersToKeep(asked({ ...codes, answers: { 'price:Column 1': 'Column 3' } }))
    const remembered = combineAnswers([], kept)
    expect(openQuestions({ ...asked(codes), answers: remembered })).toEqual([])
    const other = asked({
      ...codes,
      rows: [
        ['45.00', 'Hood', '2012'],
        ['60.00', 'Door', '2013'],
      ],
    })
    expect(openQuestions({ ...other, answers: remembered })).toMatchObject([{ id: 'price:Column 1' }])
  })

  test.each([
    [{ 'currency:Precio': 'two' }],
    [{ 'currency:Precio': 0 }],
    [{ 'currency:Precio': -1 }],
    [{ 'price:Precio': 'Cash' }],
    [{ 'units:Precio': 'furlongs' }],
    [{ 'state:Precio': { for: 'sale' } }],
    [{ 'state:Other': [] }],
    [{ Precio: 'yes' }],
  ])('%j is refused', (sent) => {
    const read = readAnswers(sent, pesos.header)
    expect(read).toHaveProperty('sentence', expect.stringContaining(Object.keys(sent)[0] ?? ''))
  })
})

test('at most four questions are asked at once', () => {
  const header = ['Price', 'Ship', 'State A', 'Status', 'Item status', 'Availability', 'Stock status']
  const rows = times(12, ['x', 'y']).map((word) => ['€5', '£6', 'n', word, word, word, word])
  const file = { header, rows, mapping: { partprice: 'Price', partshipping: 'Ship' } }
  expect(openQuestions(asked(file))).toHaveLength(4)
})

test('of two prices, the one in dollars is no question', () => {
  const file = (own: string): File => ({
    header: ['Part', 'Price (CAD)', 'Price (USD)'],
    rows: ['72.00', '75.60', '79.20', '82.80'].map((usd) => ['Hood', `1${usd}`, usd]),
    mapping: { partprice: own },
    suggested: ['partprice'],
  })
  expect(ids(file('Price (USD)'))).toEqual([])
  expect(ids(file('Price (CAD)'))).toContain('price:Price (CAD)')
})

describe('a column that seems to say whether parts are for sale', () => {
  const statesOf = (header: string, values: readonly string[], answers?: SentAnswers) => {
    const file = asked({
      header: ['Part', 'Price', header],
      rows: times(12, values).map((value) => ['Hood', '85.00', value]),
      mapping: { partname: 'Part', partprice: 'Price' },
      ...(answers && { answers }),
    })
    return openQuestions(file).map(({ id, choices }) => [id, ...choices.map((choice) => choice.id)])
  }
  test.each([
    ['Post to eBay', ['Y', 'N']],
    ['Web?', ['yes', 'no', '']],
    ['Website', ['1', '0']],
    ['Disp', ['Ready', 'Gone']],
    ['Disp', ['Bench', 'Hold', 'Rack']],
    ['Note', ['hold', '', '']],
  ])('%s: %j', (header, values) =>
    expect(statesOf(header, values)).toEqual([[`state:${header}`, ...values.filter(Boolean)]]),
  )
  test.each([
    ['Color', ['Red', 'Blue', 'Tan']],
    ['Grade', ['A', 'B', 'C']],
    ['Side', ['L', 'R', '']],
    ['Side', ['LH', 'RH']],
    ['Whse', ['Main', 'North', 'Rack 2']],
    ['Make', ['Ford', 'Ram']],
    ['Tested', ['Y', 'N']],
    ['Warranty', ['yes', 'no']],
    ['Condition', ['Used', 'New']],
    ['Fuel', ['Gas', 'Diesel']],
    ['Bin', ['H', 'S', 'A']],
    ['Store', ['1', '2']],
    ['Store', ['1', '']],
    ['Avail?', ['Y', 'N']],
    ['Sold To', ['J. Smith', '']],
    ['État', ['Disponible', 'Vendu', 'Réservé']],
    ['Comment', ['Sold', '']],
  ])('but not %s: %j', (header, values) => expect(statesOf(header, values)).toEqual([]))

  test('is asked once', () => {
    expect(statesOf('Disp', ['Ready', 'Gone'], { 'state:Disp': ['Ready'] })).toEqual([])
    const answers = readAnswers({ 'state:Disp': ['Ready'] }, ['Part', 'Disp'])
    const read = Array.isArray(answers) ? answeredStates(answers, saleStates).get('Disp') : undefined
    expect(['Ready', 'Gone', 'Ready '.trim()].map((cell) => read?.(cell))).toEqual([
      'for sale',
      'not for sale',
      'for sale',
    ])
  })
})

import { describe, expect, test } from 'vitest'
import { findTypedList, typedCutter } from './typed-list.ts'

/** The rows of a list as it is cut: part, price, remark, year, make, model, miles. */
function read(text: string) {
  const found = findTypedList(text)
  if (!found) return undefined
  const cut = typedCutter(found.ruler)
  const rows = text.split('\n').map((line) => cut(line))
  return rows
    .slice(found.headerRow)
    .flatMap((cells) =>
      cells && cells.length > 0 ? [[0, 1, 2, 3, 4, 5, 8].map((at) => cells[at] ?? '').join('|')] : [],
    )
}

test('a car, its part and a price in each line', () => {
  const list = [
    '2014 Chevrolet Impala - radiator - $125',
    'Driver side head lamp, 2014 Jeep Grand Cherokee $100 obo',
    '',
    '2010 Honda Civic - hood - $1,050.00',
    'Call Dave, no texts',
  ].join('\n')
  expect(findTypedList(list)?.headerRow).toBe(0)
  expect(read(list)).toEqual([
    '2014 Chevrolet Impala - radiator|$125|||||',
    'Driver side head lamp, 2014 Jeep Grand Cherokee|$100|obo||||',
    '2010 Honda Civic - hood|$1,050.00|||||',
  ])
  expect(findTypedList('Hi Dave,\nI sold it in 2014 for $125.\nSee you, Bob')).toBeUndefined()
})

test('messages of a chat, without who wrote them and when', () => {
  const messages = [
    '2014 Honda Accord alternator $65',
    '<Media omitted>',
    '2011 Ford F-150 driver headlight $80 obo',
  ]
  const more = '2008 Toyota Camry starter $45'
  const rows = ['2014 Honda Accord alternator|$65|||||', '2011 Ford F-150 driver headlight|$80|obo||||']
  for (const stamp of [
    '[11/28/26, 8:14:03\u202fAM] Mike Yard: ',
    '28/11/2026, 08:14 - Mike Yard: ',
    '2026-11-28 08:14 - +1 417-555-0142: ',
  ]) {
    const list = [...messages, more].map((message) => `${stamp}${message}`).join('\n')
    expect(read(list), stamp).toEqual([...rows, '2008 Toyota Camry starter|$45|||||'])
  }
})

test('years of two digits at the beginning of a line', () => {
  const list = [
    '07 tundra tailgate silver $350 dent lower left',
    "'12 f150 4x4 transfer case 225 tested",
    '99-04 mustang gt tail lights pair $110',
    '14 rogue motor 2.5 112k $850 w/ warranty',
    '2014 impala radiator',
    'Call Dave, no texts',
  ].join('\n')
  expect(read(list)).toEqual([
    '2007 tundra tailgate silver|$350|dent lower left||||',
    '2012 f150 4x4 transfer case 225 tested||||||',
    '1999-2004 mustang gt tail lights pair|$110|||||',
    '2014 rogue motor 2.5 112k|$850|w/ warranty||||',
    '2014 impala radiator||||||',
  ])
})

describe('a car above its parts', () => {
  test('with bullets, under a heading of all of them', () => {
    const list = [
      'PARTING OUT 2008 Honda Accord EX-L 120k miles',
      '',
      '• Left headlight - $85',
      '• Front bumper cover $150 obo',
      '* Alternator: $60',
      '1. Radiator ....... $75',
      '- Engine 2.4L runs great - $1,200 firm',
      '- Hood: call for price',
      'Call Dave, no texts',
    ].join('\n')
    expect(read(list)).toEqual([
      'Left headlight|$85||2008|Honda|Accord|120k',
      'Front bumper cover|$150|obo|2008|Honda|Accord|120k',
      'Alternator|$60||2008|Honda|Accord|120k',
      'Radiator|$75||2008|Honda|Accord|120k',
      'Engine 2.4L runs great|$1,200|firm|2008|Honda|Accord|120k',
      'Hood|call for price||2008|Honda|Accord|120k',
    ])
  })

  test('with bare amounts, and what is no part between them', () => {
    const list = [
      "Mike's parts, pick up only",
      "'05 Chevy Silverado 1500 - white",
      'Interior:',
      'driver seat 120',
      'steering wheel   45',
      'tailgate 300 firm',
      'fender left 85 SOLD',
      '',
      '12 Toyota Camry',
      'trunk lid 150',
      '',
      'TOOLS',
      'engine hoist 140',
    ].join('\n')
    expect(read(list)).toEqual([
      'driver seat|120||2005|Chevy|Silverado 1500|',
      'steering wheel|45||2005|Chevy|Silverado 1500|',
      'tailgate|300|firm|2005|Chevy|Silverado 1500|',
      'fender left|85|SOLD|2005|Chevy|Silverado 1500|',
      'trunk lid|150||2012|Toyota|Camry|',
      // Nobody knows whose it is.
      'engine hoist|140|||||',
    ])
  })
})

test('tires below their heading are tires, of no car', () => {
  const list = [
    '2012 Ford Focus',
    'hood $90',
    'alternator $45',
    'radiator - $60',
    '',
    'TIRES',
    'P225/60R16 Firestone, set of 4 - $180',
    'winter tires 205/55R16 $90 for all',
  ].join('\n')
  expect(read(list)?.slice(3)).toEqual([
    'Tire P225/60R16 Firestone, set of 4|$180|||||',
    'winter tires 205/55R16|$90|for all||||',
  ])
})

test('an amount without a sign is none where others have one', () => {
  const list = ['2012 Ford Focus', 'hood $90', 'alternator $45', 'wheels 4', 'radiator - $60'].join('\n')
  expect(read(list)?.map((row) => row.split('|').slice(0, 2))).toEqual([
    ['hood', '$90'],
    ['alternator', '$45'],
    ['radiator', '$60'],
  ])
})

test('of two amounts none is taken', () => {
  const list = ['2012 Ford Focus', 'hood $90', 'alternator $45', 'doors $80 each or $150 for both'].join('\n')
  expect(read(list)?.at(-1)).toBe('doors $80 each or $150 for both|||2012|Ford|Focus|')
})

test.each([
  ['a table', 'Stock,Part,Price\n1,Hood,$90\n2,Fender,$80\n3,Door,$70'],
  ['a table with cars above', '2010 Nissan Altima\n1,Hood,A,$90\n2,Fender,B,$80\n3,Door,A,$70'],
  ['a letter', 'Hello,\nI have a 2010 Nissan Altima and want $500 for its engine.\nThanks'],
  [
    'a table of titles',
    'K1,2012 Ford Focus Hood,$90\nK2,2012 Ford Focus Door,$80\nK3,2012 Kia Rio Fender,$70',
  ],
])('%s is no such list', (_, text) => expect(findTypedList(text)).toBeUndefined())

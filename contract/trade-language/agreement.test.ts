import { expect, test } from 'vitest'
import { yearSpanText } from '#contract/listing/year-span.ts'
import { fieldReaders } from '#server/features/stock-files/read/field-readers.ts'
import { builtInWords, testVocabulary as vocabulary } from '#tests/support/test-vocabulary.ts'
import { interpret } from './interpret.ts'
import { MIN_PART_CERTAINTY } from './parts/type-verdicts.ts'

/* The same words mean the same in a search, a part's name, a title and a cell. */

const circumstances = { year: 2026 }
const uses = {
  query: (word: string) => interpret(word, vocabulary, 'query', circumstances),
  name: (word: string) => interpret(word, vocabulary, 'name', {}),
  title: (word: string) => interpret(`2012 Ford Focus ${word}`, vocabulary, 'title', circumstances),
  cell: (word: string) => interpret(word, vocabulary, 'cell', circumstances),
}
/** Whether a part that can be one type only is known to be it, as at a yard's desk, where unsure words are asked. */
const isUnsure = ({ taken }: ReturnType<typeof interpret>) =>
  taken.some(
    ({ kind, types = [], sure }) => kind === 'part' && types.length === 1 && sure < MIN_PART_CERTAINTY,
  )
const typesOf = ({ taken }: ReturnType<typeof interpret>) =>
  [...new Set(taken.flatMap(({ kind, types = [] }) => (kind === 'part' ? types : [])))].sort().join(', ')

const parts = builtInWords.filter(({ kind }) => kind === 'part')

/** A yard's own word for one type, of which a buyer wants to see the types beside it, too: `PartMeaning.own`. */
const INTENDED = [
  ...['front bumper', 'rear bumper', 'back bumper', 'defensa delantera', 'defensa trasera'],
  ...['parachoques delantero', 'parachoques trasero', 'rim', 'rims', 'spring', 'front axle'],
  ...['wheel', 'rin', 'rines'],
]
/** Behind a vehicle, single letters name no part. */
const NOT_IN_TITLES = ['r&p']

const YEARS: readonly (readonly [typed: string, years: string])[] = [
  ...['2012', '2012.0', "'12", '’12', '12', 'MY2012', '2012 '].map((typed) => [typed, '2012'] as const),
  ...['07', "'07", '2007'].map((typed) => [typed, '2007'] as const),
  ...['98', "'98", '1998'].map((typed) => [typed, '1998'] as const),
  ...[
    ...[
      '2004-2008',
      '2004–2008',
      '2004 - 2008',
      '2004-08',
      '04-08',
      "'04-'08",
      '2004 to 2008',
      '2004 thru 2008',
    ],
    ...[
      '2004 through 2008',
      '2004/2008',
      '04 – 08',
      '2004,2005,2006,2007,2008',
      '2004, 2005, 2006, 2007, 2008',
    ],
    ...['2004 2005 2006 2007 2008', '2004-2006, 2007-2008', '2004 & 2005-2008', '2004;2005;2006;2007;2008'],
    ...['2008,2007,2006,2005,2004', '2004-2005 2006 2007 2008', '2004 until 2008'],
  ].map((typed) => [typed, '2004-2008'] as const),
  ...[
    '03 04 05',
    '2003 2004 2005',
    '2003-05',
    '03-05',
    '2003, 04, 05',
    '2003+2004+2005',
    '2003/2004/2005',
  ].map((typed) => [typed, '2003-2005'] as const),
  ...[
    ...[
      '2017+',
      '2017 +',
      '2017 & up',
      '2017-up',
      '2017 and up',
      '2017 up',
      '17+',
      "'17+",
      '17-up',
      '2017-present',
    ],
    ...['2017 to present', '2017 onwards', '2017 & newer', '2017-current', '2017 and later', '17 & up'],
  ].map((typed) => [typed, '2017-2026'] as const),
  ...['05-UP', '05+', '2005+', '2005-UP'].map((typed) => [typed, '2005-2026'] as const),
  ...['98-02', '1998-02', '1998-2002'].map((typed) => [typed, '1998-2002'] as const),
]

/** In a title, 04 behind a comma may be a size; only cells say 2012.0 and MY2012. */
const IN_CELLS = new Set(['2012.0', '2003, 04, 05', 'MY2012'])

test('years mean the same in a cell, a column and a search, and in a title in front of its vehicle', () => {
  const inCell = (typed: string) => interpret(typed, vocabulary, 'cell', circumstances).read.fields.partyear
  const inQuery = (typed: string) => {
    const { years } = interpret(`${typed} civic`, vocabulary, 'query', circumstances).read
    return years && yearSpanText(years)
  }
  const inTitle = (typed: string) =>
    interpret(`${typed} Honda Civic Hood`, vocabulary, 'title', circumstances).read.fields.partyear
  const inColumn = (typed: string) => fieldReaders({ year: 2026 }).partyear(typed.trim())
  const wrong = YEARS.flatMap(([typed, years]) => {
    const found = {
      cell: inCell(typed),
      column: inColumn(typed),
      query: inQuery(typed),
      title: inTitle(typed),
    }
    if (IN_CELLS.has(typed)) found.title = years
    return Object.values(found).every((one) => one === years) ? [] : [`${typed}: ${JSON.stringify(found)}`]
  })
  expect(YEARS.length).toBeGreaterThanOrEqual(60)
  expect(wrong).toEqual([])
})

test('words for parts mean the same types in all four uses', () => {
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  const odd: string[] = []
  let known = 0
  for (const { word, means } of parts) {
    const found = Object.entries(uses).map(([as, read]) => [as, typesOf(read(word))] as const)
    const unsure = Object.entries(uses).flatMap(([as, read]) => (isUnsure(read(word)) ? as : []))
    const same = new Set(found.map(([, types]) => types))
    const expected = means
      .split(';')
      .map((name) => name.trim())
      .sort()
      .join(', ')
    if (same.size === 1 && same.has(expected) && unsure.length === 0) known += 1
    else
      odd.push(
        `${word} (${means}): ${found.map(([as, types]) => `${as} ${types}`).join(' | ')}; unsure: ${unsure.join()}`,
      )
  }
  print(`${known} of ${parts.length}`)
  const differing = odd.filter(
    (line) => ![...INTENDED, ...NOT_IN_TITLES].some((word) => line.startsWith(`${word} (`)),
  )
  expect(odd.length).toBeLessThanOrEqual(15)
  expect(differing).toEqual([])
})

test.each([
  ['Kotflügel links', 'Fender', 'left'],
  ['Kotfluegel vorne rechts', 'Fender', 'right'],
  ['Scheinwerfer rechts', 'Headlamp Assembly', 'right'],
  ['Rückleuchte links', 'Tail Lamp Assembly', 'left'],
  ['Außenspiegel links', 'Door Mirror', 'left'],
  ['Motorhaube', 'Hood', undefined],
  ['Anlasser', 'Starter Motor', undefined],
  ['Lichtmaschine', 'Alternator', undefined],
  ['Stoßdämpfer hinten links', 'Shock Absorber', 'left'],
])('“%s” is a part in all four uses', (typed, type, side) => {
  for (const [as, read] of Object.entries(uses)) {
    const found = read(typed)
    expect([as, typesOf(found)]).toEqual([as, type])
    const places = found.taken.flatMap(({ kind, label }) =>
      kind === 'side' ? label.toLowerCase().split(' ') : [],
    )
    expect([as, places.find((place) => place === 'left' || place === 'right')]).toEqual([as, side])
  }
})

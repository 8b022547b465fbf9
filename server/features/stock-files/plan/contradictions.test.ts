import { describe, expect, test } from 'vitest'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import {
  describePart,
  headingOf,
  type RecordFields,
  readPartFacts,
} from '#server/features/market/writing/part-text.ts'
import { demoSellers } from '#server/features/running/demo/demo-sellers.ts'
import { demoToday, generateListings } from '#server/features/running/demo/demo-stock.ts'
import { testVocabulary } from '#tests/support/test-vocabulary.ts'
import { openContradictions } from './contradictions.ts'

const contradictionsIn = openContradictions(testVocabulary, 2026)
const camry = {
  partname: 'Strut RR',
  partyear: '2012-2015',
  partmanu: 'Toyota',
  partmodel: 'Camry',
  partnum: '48530-06',
}
const textOf = (written: ReturnType<typeof headingOf>) => (written.ok ? written.text : '')
const writtenTexts = (fields: RecordFields) => ({
  ...fields,
  h1: textOf(headingOf(readPartFacts(fields))),
  partdescription: textOf(describePart(readPartFacts(fields), String(fields.partdescription ?? 'good cond'))),
})

test('what scripts wrote of other facts is named', () => {
  expect(contradictionsIn(writtenTexts(camry))).toEqual([])
  expect(contradictionsIn({ ...writtenTexts(camry), partyear: '2009', partnum: 'X-9' })).toEqual([
    'The heading says 2012, but the year is 2009.',
    'The description says “Vehicle: 2012-2015 Toyota Camry”, but the record has “2009 Toyota Camry”.',
    'The description says “Part number: 48530-06”, but the record has “X-9”.',
  ])
  expect(contradictionsIn({ ...writtenTexts(camry), partmanu: 'Ford', partmodel: 'F-150' })[0]).toBe(
    'The heading says Toyota Camry, but the vehicle is Ford F-150.',
  )
})

const alternator = {
  partname: 'Alternator',
  partyear: '2014',
  partmanu: 'Ford',
  partmodel: 'F-150',
  partnum: 'DL3Z-1034',
}
const PROSE = 'This alternator came from a 2014 Ford F-150, part number DL3Z-1034.'

describe('prose', () => {
  test.each<[change: RecordFields, sentences: string[]]>([
    [{}, []],
    [{ partyear: '2011' }, ['The description says 2014 Ford F-150, but the year is 2011.']],
    [
      { partnum: 'XX-99901' },
      ['The description says the number DL3Z-1034, but the part number is XX-99901.'],
    ],
    [
      { partmanu: 'Toyota', partmodel: 'Camry' },
      ['The description says Ford F-150, but the vehicle is Toyota Camry.'],
    ],
    [{ partmodel: 'Escape' }, ['The description says Ford F-150, but the vehicle is Ford Escape.']],
    [{ partmanu: 'FORD', partmodel: 'F150' }, []],
    [{ partmodel: 'F-150 Lightning' }, []],
    [{ partnum: 'XX-99901', partinterchange: 'DL3Z-1034' }, []],
    [{ partmodel: 'Escape', fitment: '2014 Ford F-150' }, []],
  ])('with %j', (change, sentences) => {
    expect(contradictionsIn({ ...alternator, partdescription: PROSE, ...change })).toEqual(sentences)
  })
})

test.each([
  'Fits 2010-2014 Toyota Camry and Avalon.',
  'Interchanges with part number 27060-0V210.',
  'Toyota Camry, Honda Accord and Ford F-150 alternators on the shelf.',
  'Same as P/N 27060-0V210.',
  'Replaces OEM 27060-0V210',
  'Also for a Toyota Camry.',
  'Off a Ford F-150, tested. Toyota Camry parts in the next aisle.',
  'Part number on the label.',
  'OEM Ford part',
])('“%s” is no contradiction', (partdescription) => {
  expect(contradictionsIn({ ...alternator, partdescription })).toEqual([])
})

test.each([
  ['2014 Ford F-150 Alternator DL3Z-1034-AB', [] as string[]],
  [
    '2014 Ford F-150 Alternator GL8Z-20346-B',
    ['The heading says the number GL8Z-20346-B, but the part number is DL3Z-1034.'],
  ],
  ['Toyota Camry Alternator', ['The heading says Toyota Camry, but the vehicle is Ford F-150.']],
])('the heading %s', (h1, sentences) => {
  expect(contradictionsIn({ ...alternator, h1 })).toEqual(sentences)
})

test('names none in the texts of the demo’s stock, nor in what scripts make of it', () => {
  const catalogue = { vehicles: readVehicles(), partTypes: readPartTypes() }
  const listings = generateListings(demoSellers(), catalogue, demoToday(new Date('2026-03-09T15:20:00Z')))
  const found = listings.flatMap(({ text }) => [
    ...contradictionsIn(text),
    ...contradictionsIn(writtenTexts(text)),
  ])
  expect(listings.length).toBeGreaterThan(2_000)
  expect(found).toEqual([])
  // With the vehicle of another one, nearly every heading is named.
  const moved = listings.flatMap(({ text }, at) => {
    const { partmanuname = '', partmodel = '' } = listings[(at + 1) % listings.length]?.text ?? {}
    const isOther = partmanuname !== text.partmanuname
    return isOther ? [{ ...text, fitment: '', h1: writtenTexts(text).h1, partmanuname, partmodel }] : []
  })
  const named = moved.filter((fields) => contradictionsIn(fields).length > 0)
  expect(named.length / moved.length).toBeGreaterThan(0.97)
})

import { describe, expect, test } from 'vitest'
import { type Described, followingTexts, writtenFields } from './following-texts.ts'
import { describePart, headingOf, readPartFacts } from './part-text.ts'

const before = {
  heading: '2014 Ford Focus alternator, number DL3Z-10346-A',
  description: '',
  damage: null,
  name: 'Alternator',
  year_from: 2014,
  year_to: 2014,
  manufacturer_name: 'Ford',
  model_name: 'Focus',
  trim_name: null,
  part_number: 'DL3Z-10346-A',
  grade: 'B',
  miles: null,
  price_cents: 9_550,
}

test.each<[what: string, columns: Parameters<typeof followingTexts>[1], isStale: boolean]>([
  ['another name', { name: 'Starter' }, true],
  ['another year', { year_from: 2015, year_to: 2015 }, true],
  ['another make', { manufacturer_name: 'Mazda' }, true],
  ['another model', { model_name: 'Fiesta' }, true],
  ['a trim', { trim_name: 'SE' }, true],
  ['a number taken away', { part_number: null }, true],
  ['another grade', { grade: 'C' }, true],
  ['miles', { miles: 84_000 }, true],
  ['what was there already', { name: 'Alternator', year_from: 2014, trim_name: null }, false],
  ['a price that it does not name', { price_cents: 8_000 }, false],
  ['a description', { description: 'Works.' }, false],
  ['a heading of its own', { name: 'Starter', heading: '2014 Ford Focus starter' }, false],
  ['nothing', {}, false],
])('%s', (_what, columns, isStale) => {
  expect(followingTexts(before, columns)).toEqual(isStale ? { heading: null } : {})
})

test('a price that it names', () => {
  const named = { ...before, heading: 'Alternator, $95.50' }
  expect(followingTexts(named, { price_cents: 8_000 })).toEqual({ heading: null })
  expect(followingTexts(named, { price_cents: 9_550 })).toEqual({})
})

test('where there is none, none is taken away', () => {
  expect(followingTexts({ ...before, heading: null }, { name: 'Starter' })).toEqual({})
})

describe('what a script wrote', () => {
  const factsOf = (listing: Described) => readPartFacts(writtenFields(listing))
  const textOf = (written: ReturnType<typeof headingOf>) => (written.ok ? written.text : 'refused')
  const linesOf = (listing: Described, words = '') => textOf(describePart(factsOf(listing), words))
  const written = (listing: Described, words = ''): Described => ({
    ...listing,
    heading: textOf(headingOf(factsOf(listing))),
    description: linesOf(listing, words),
  })
  const changes = { year_from: 2011, year_to: 2013, part_number: 'XX-999', damage: 'Scratch' }

  test.each(['', 'Works, w/ bracket.'])('follows its facts, below “%s”', (words) => {
    const listing = written(before, words)
    const { heading, description } = written({ ...before, ...changes }, words)
    expect(followingTexts(listing, changes)).toEqual({ heading, description })
    expect(description).toContain('Vehicle: 2011-2013 Ford Focus\nPart number: XX-999\nDamage: Scratch')
  })

  test('without a vehicle, too, and above what the seller wrote on', () => {
    const tire = written({ ...before, manufacturer_name: '', model_name: '', year_from: null, year_to: null })
    expect(tire.description).toBe('Part: Alternator\nPart number: DL3Z-10346-A')
    expect(followingTexts(tire, { part_number: 'T-2' }).description).toBe(
      'Part: Alternator\nPart number: T-2',
    )
    const own = { ...before, description: `${linesOf(before)}\n\nCall before noon.` }
    expect(followingTexts(own, { part_number: null }).description).toBe(
      'Part: Alternator\nVehicle: 2014 Ford Focus\n\nCall before noon.',
    )
  })

  test('goes where the seller’s own words say something else', () => {
    const listing = { ...written(before, 'Part number: DL3Z-10346-A\nTested.'), heading: null }
    expect(followingTexts(listing, { part_number: 'X-1' })).toEqual({
      description: 'Part number: DL3Z-10346-A\nTested.',
    })
  })

  test('as prose gives way to the lines of the new facts; a person’s own prose stays', () => {
    const prose = 'This alternator came from a 2014 Ford Focus, part number DL3Z-10346-A.'
    const known = { prose: new Set([prose]) }
    const after = { ...before, ...changes }
    const of = (description: string) =>
      followingTexts({ ...before, heading: null, description }, changes, known)
    expect(of(prose)).toEqual({ description: linesOf(after) })
    expect(of(linesOf(before, prose))).toEqual({ description: linesOf(after) })
    expect(of(`${prose} It is on the shelf.`)).toEqual({})
    expect(
      followingTexts({ ...before, heading: null, description: prose }, { price_cents: 1 }, known),
    ).toEqual({})
  })
})

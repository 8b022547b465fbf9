import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPartTypes, readVehicles } from '#db/data/read-data.ts'
import { describePart, headingOf, type RecordFields, readPartFacts, textsFollowing } from './part-text.ts'

const textOf = (written: ReturnType<typeof headingOf>) =>
  written.ok ? written.text : `refused: ${written.problems[0]?.claim}`
const heading = (fields: RecordFields) => textOf(headingOf(readPartFacts(fields)))
const description = (fields: RecordFields, words = '') => textOf(describePart(readPartFacts(fields), words))

const camry = { partyear: '2012-2015', partmanu: 'Toyota', partmodel: 'Camry' }

test.each<[fields: RecordFields, heading: string]>([
  [{ ...camry, partname: 'STRUT RR RIGHT' }, '2012-2015 Toyota Camry STRUT RR RIGHT'],
  [{ ...camry, partname: 'Ring & pinion 3.73,  FL' }, '2012-2015 Toyota Camry Ring & pinion 3.73, FL'],
  [{ ...camry, partname: 'ALT 130A 6 cyl blk' }, '2012-2015 Toyota Camry ALT 130A 6 cyl blk'],
  [
    { partname: '2015 Ford Focus alternator', partyear: 2015, partmanu: 'Ford', partmodel: 'Focus' },
    '2015 Ford Focus alternator',
  ],
  [
    { partname: 'Ford alternator', partyear: 2015, partmanu: 'Ford', partmodel: 'Focus' },
    '2015 Ford Focus Ford alternator',
  ],
  [
    {
      partname: 'Mirror LH',
      partyear: '2012',
      partmanu: 'Mercedes-Benz',
      partmodel: 'C-Class',
      parttrim: 'C300',
    },
    '2012 Mercedes-Benz C-Class C300 Mirror LH',
  ],
  [{ partname: '3 bolt alternator', partmanu: 'Mazda', partmodel: '3' }, 'Mazda 3 3 bolt alternator'],
  [{ partname: 'Focus SE door', partmanu: 'Ford', partmodel: 'Focus', parttrim: 'SE' }, 'Ford Focus SE door'],
  [{ partname: 'Door', partmanuname: 'BMW', partmodel: '328i', parttrim: '328i' }, 'BMW 328i Door'],
  [{ partname: 'Hub', partyear: 'N/A', partmanu: '-', partmodel: 'unknown' }, 'Hub'],
  [{ ...camry, partname: 'x'.repeat(118) }, 'x'.repeat(118)],
  [{ ...camry, partname: `${'x'.repeat(120)} RR` }, 'refused: RR'],
])('the heading of %j is “%s”', (fields, expected) => {
  expect(heading(fields)).toBe(expected)
})

describe('a description', () => {
  const fields = {
    ...camry,
    partname: 'Strut RR',
    partnum: '48530-06',
    partmiles: 84_213,
    partdamage: 'None',
  }
  const details =
    'Part: Strut RR\nVehicle: 2012-2015 Toyota Camry\nPart number: 48530-06\nMiles: 84,213\nDamage: None'

  test('without words of the seller is what the fields say', () => {
    expect(description(fields)).toBe(details)
    expect(description({ ...fields, partprice: '95', partgrade: 'A', partcity: 'Tulsa', partmiles: 0 })).toBe(
      details.replace('\nMiles: 84,213', ''),
    )
  })

  test('begins with the words of the seller, to the letter; a second run adds nothing', () => {
    const text = description(fields, 'good  cond.\n\nw/ brkt')
    expect(text).toBe(`good  cond.\n\nw/ brkt\n\n${details}`)
    expect(description(fields, text)).toBe(text)
    expect(description({ ...fields, parttrim: 'SE', partmiles: '' }, 'Miles: 9')).toMatch(/^Miles: 9\n/)
  })

  test('gets a line for what the record learned since', () => {
    const before = description({ ...fields, partdamage: '' }, 'good cond')
    expect(description(fields, before)).toBe(`good cond\n\n${details}`)
  })

  test('replaces the lines of an earlier run when the facts change, and repeats nothing', () => {
    const before = description(fields, 'good cond')
    const changed = { ...fields, partname: 'Hood', partyear: '2009', partnum: 'A-1', partmiles: '' }
    const after = 'good cond\n\nPart: Hood\nVehicle: 2009 Toyota Camry\nPart number: A-1\nDamage: None'
    expect(description(changed, before)).toBe(after)
    expect(description(changed, after)).toBe(after)
  })

  test('is refused, with the word, where it says something else than the record', () => {
    expect(description(fields, 'Part: Strut RR\nDamage: bent bracket')).toBe('refused: bent')
  })
})

describe('texts of a record whose facts change', () => {
  const written = (fields: RecordFields): RecordFields => ({
    ...fields,
    h1: heading(fields),
    partdescription: description(fields, 'good cond'),
  })
  const before = written({ ...camry, partname: 'Strut RR', partnum: '48530-06' })

  test.each<[what: string, change: RecordFields]>([
    ['the year', { partyear: '2009' }],
    ['make and model', { partmanu: 'Ford', partmodel: 'F-150' }],
    ['the part', { partname: 'Left Headlight' }],
    ['the part number', { partnum: 'DL3Z-1' }],
    ['the trim', { parttrim: 'XLE' }],
  ])('%s: what the scripts wrote is written from the new facts', (_, change) => {
    const after = { ...before, ...change }
    const { h1: _h1, partdescription: _description, ...facts } = after as Record<string, unknown>
    const texts = textsFollowing(before, after)
    expect({ ...after, ...texts }).toEqual(written(facts))
  })

  test('another heading is removed, and gets the proper spelling of a name', () => {
    const own = { ...before, h1: 'Strut for a 2012 Toyota Camry', partdescription: 'good cond' }
    expect(textsFollowing(own, { ...own, partyear: '2009' })).toEqual({ h1: '' })
    expect(textsFollowing(own, { ...own, partgrade: 'B' })).toEqual({ h1: '' })
    const typed = { ...own, partmanu: 'Toyta', h1: 'Strut for a Toyta Camry' }
    expect(textsFollowing(typed, { ...typed, partmanu: 'Toyota' }, { isRename: true })).toEqual({
      h1: 'Strut for a Toyota Camry',
    })
  })

  test('texts that are edited with the facts stay, and so do those of equal facts', () => {
    expect(
      textsFollowing(before, { ...before, partyear: '2009', h1: 'Mine', partdescription: 'Mine' }),
    ).toEqual({})
    expect(textsFollowing(before, { ...before, partprice: '12' })).toEqual({})
  })
})

describe('over odd records', () => {
  const vehicles = readVehicles()
  const code = fc.stringMatching(/^[A-Z]{1,4}[0-9]{0,3}[A-Za-z]{0,2}$/)
  const piece = fc.oneof(
    fc.constantFrom(
      'RR',
      'FL',
      'LH',
      'W/O',
      'A/C',
      '6 cyl',
      '130A',
      '3.73',
      '(blk)',
      'C300',
      "driver's",
      '8',
      '½',
      '12"',
      'assy,',
    ),
    fc.constantFrom(...readPartTypes().map(({ name }) => name)),
    code.filter((text) => text !== ''),
    fc.stringMatching(/^[^\s]{1,9}$/),
  )
  const words = (most: number) =>
    fc.array(piece, { minLength: 1, maxLength: most }).map((some) => some.join(' '))
  const record = fc
    .record({
      partname: words(5),
      partnum: fc.option(code),
      parttrim: fc.option(code),
      partmiles: fc.option(fc.integer({ min: 0, max: 400_000 })),
      partdamage: fc.option(words(4)),
      partyear: fc.option(fc.constantFrom('2012', 2015, '2008-2011', '2012-15')),
      vehicle: fc.option(fc.constantFrom(...vehicles)),
    })
    .map(({ vehicle, ...fields }) => ({
      ...fields,
      partmanu: vehicle?.manufacturer,
      partmodel: vehicle?.model,
    }))
  const pieces = (text: string) => text.split(/\s+/).filter((word) => word !== '')
  const digits = (text: string) => text.replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '').match(/\d+/g) ?? []

  test('every word survives, and nothing is said that the record does not have', () => {
    fc.assert(
      fc.property(record, words(6), (fields, note) => {
        const said = Object.values(fields).join(' ')
        fc.pre(fields.partname.length <= 120)
        const title = heading(fields)
        const text = description(fields, note)
        expect(pieces(title)).toEqual(expect.arrayContaining(pieces(fields.partname)))
        expect(text.startsWith(`${note}\n\nPart: `)).toBe(true)
        expect(pieces(text)).toEqual(
          expect.arrayContaining(pieces(`${fields.partname} ${fields.partdamage ?? ''}`)),
        )
        const labels = ['Part:', 'Vehicle:', 'number:', 'Part', 'Miles:', 'Damage:']
        const known = new Set([
          ...pieces(said),
          ...pieces(note),
          ...labels,
          Number(fields.partmiles).toLocaleString('en-US'),
        ])
        expect(pieces(`${title} ${text}`).filter((word) => !known.has(word))).toEqual([])
        expect(digits(`${said} ${note}`)).toEqual(expect.arrayContaining(digits(`${title} ${text}`)))
        expect(description(fields, text)).toBe(text)
      }),
      { numRuns: 500 },
    )
  })
})

test('after a rename only the line of the old vehicle follows', () => {
  const [before, after] = ['Camrey', 'Camry'].map((partmodel) => ({ ...camry, partname: 'Strut', partmodel }))
  const renamed = (partdescription: string) =>
    textsFollowing({ ...before, partdescription }, { ...after, partdescription }, { isRename: true })
  expect(renamed('Off a Camrey.\n\nPart: Strut\nVehicle: 2012-2015 Toyota Camrey')).toEqual({
    partdescription: 'Off a Camrey.\n\nPart: Strut\nVehicle: 2012-2015 Toyota Camry',
  })
  expect(renamed('Vehicle: Camrey, my own')).toEqual({})
})

test('lines of an earlier run follow the facts; nothing else is replaced', () => {
  const typed = { partname: 'Alternator', partyear: 2012, partmanu: 'Toyta', partmodel: 'Camrey' }
  const resolved = { ...typed, partmanu: 'Toyota', partmodel: 'Camry' }
  expect(description(resolved, description(typed, 'Tested good.'))).toBe(
    description(resolved, 'Tested good.'),
  )
  expect(description(resolved, description(typed))).toBe(description(resolved))
  // A seller's own line is not ours to replace.
  expect(description(resolved, 'Vehicle: Toyta Camrey\nTested good.')).toBe('refused: Toyta')
  expect(description({ ...typed, partmiles: '84213' }, description({ ...typed, partmiles: '90000' }))).toBe(
    description({ ...typed, partmiles: '84213' }),
  )
})

import { expect, test } from 'vitest'
import { readPartTypes } from '#db/data/read-data.ts'
import { anchorOf, anchorsOf, emptyLandingOf, landingOf, pluralOf, withOffer } from './landing-text.ts'

const page = {
  kind: 'category',
  name: 'Headlamp Assembly',
  yearFrom: 2008,
  yearTo: 2027,
  topManufacturers: ['Ford', 'Toyota', 'Kia', 'BMW'],
  topModels: ['Ford Escape'],
} as const

test('a page says what is in its data, and no count or price', () => {
  expect(landingOf(page)).toEqual({
    title: 'Used headlamp assemblies for sale',
    metaDescription:
      'Used headlamp assemblies for Ford, Toyota and Kia for sale. Model years 2008 to 2027. Models: Ford Escape.',
    intro:
      'Used headlamp assemblies for Ford, Toyota and Kia. Model years 2008 to 2027. Models: Ford Escape.',
  })
  const ford = {
    kind: 'manufacturer',
    name: 'Ford',
    yearFrom: 2014,
  } as const
  expect(landingOf({ ...ford, topCategories: ['CV Axle', 'Tire'] })).toEqual({
    title: 'Used Ford parts for sale',
    metaDescription: 'Used Ford parts for sale. Model year 2014. Parts: CV axles and tires.',
    intro: 'Used Ford parts. Model year 2014. Parts: CV axles and tires.',
  })
  expect(emptyLandingOf(page).intro).toMatch(/^No used headlamp assemblies are listed right now\./)
})

test('the offer of the moment is added when a page is read', () => {
  const text = { title: 'Used alternators for sale', metaDescription: 'm', intro: 'Used alternators.' }
  expect(withOffer(text, { parts: 1_200, priceFromCents: 2_000, priceToCents: 9_550 })).toEqual({
    title: 'Used alternators for sale, from $20',
    metaDescription: 'm',
    intro: '1,200 listings, $20 to $95.50. Used alternators.',
  })
  expect(withOffer(text, { parts: 1, priceFromCents: 500, priceToCents: 500 })).toMatchObject({
    title: 'Used alternators for sale, from $5',
    intro: '1 listing, $5. Used alternators.',
  })
  expect(withOffer(text, { parts: 2, priceFromCents: null, priceToCents: null })).toEqual({
    ...text,
    intro: '2 listings. Used alternators.',
  })
})

test.each([
  ['CV Axle', 'CV axles'],
  ['A/C Condenser', 'A/C condensers'],
  ['On-Board Charger', 'on-board chargers'],
  ['Engine Wiring Harness', 'engine wiring harnesses'],
  ['Valve Body', 'valve bodies'],
  ['Glove Box', 'glove boxes'],
  ['Wiper Switch', 'wiper switches'],
  ['Door Glass', 'door glass'],
  ['Brake Pads', 'brake pads'],
  ['Fog Lamp Lens', 'fog lamp lenses'],
  ['Key', 'keys'],
  ['Mirror (heated)', 'mirrors (heated)'],
  ['Bumper w/ Sensor', 'bumpers w/ sensor'],
  ['Cover for Engine', 'covers for engine'],
  ['Wheel, Spare', 'wheels, spare'],
  ['Brake Hardware', 'brake hardware'],
  ['Interior Trim', 'interior trim'],
  ['Battery', 'batteries'],
  ['ABS', 'ABS'],
])('more than one %s is called %s', (name, plural) => {
  expect(pluralOf(name)).toBe(plural)
})

test('links of one page read differently', () => {
  const listing = {
    kind: 'listing',
    name: 'Alternator',
    manufacturer: 'Ford',
    model: 'Escape',
    yearFrom: 2014,
  } as const
  const anchors = [
    anchorOf(page),
    anchorOf({ kind: 'manufacturer', name: 'Ford' }),
    anchorOf({ kind: 'model', name: 'Escape', manufacturer: 'Ford' }),
    anchorOf({ ...listing, yearTo: 2016, partNumber: 'DL3Z-1' }),
    anchorOf({ ...listing, name: 'Alternator of a rather long name that goes on and on' }),
  ]
  expect(anchors).toEqual([
    'Used headlamp assemblies',
    'Used Ford parts',
    'Used Ford Escape parts',
    '2014-2016 Ford Escape Alternator, DL3Z-1',
    'Alternator of a rather long name that goes on and on',
  ])
  expect(readPartTypes().every(({ name }) => pluralOf(name) !== name)).toBe(true)
  const { partNumber: _, ...plain } = { ...listing, partNumber: '' }
  expect(anchorsOf({ ...plain, city: 'Tulsa' })).toEqual([
    '2014 Ford Escape Alternator',
    '2014 Ford Escape Alternator, Tulsa',
    'Alternator',
    'Alternator, Tulsa',
  ])
  expect(anchorsOf({ kind: 'category', name: 'Brake Pad' })[1]).toBe('Brake Pad for sale')
})

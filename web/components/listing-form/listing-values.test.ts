import { expect, test } from 'vitest'
import {
  allFields,
  isInForm,
  listingKinds,
  type ReplyName,
  replyNameOf,
  type TermField,
  type TextField,
  termFields,
  textFields,
} from '#contract/listing/listing-fields.ts'
import type { Listing } from '#contract/listings.ts'
import {
  bodyToCreate,
  bodyToUpdate,
  duplicateValues,
  emptyValues,
  mergedValues,
  namesToCreate,
  overlapsOf,
  readListingDefaults,
  renamed,
  sameCarValues,
  valuesFromDefaults,
  valuesOfListing,
} from './listing-values.ts'

/** Text fields that no test needs are empty, so that a new field changes nothing here. */
const noTexts = Object.fromEntries(textFields.map((field) => [replyNameOf(field), null])) as Record<
  ReplyName<TextField>,
  null
>

/** A listing without terms. */
const noTerms = {
  ...(Object.fromEntries(termFields.map((field) => [field, null])) as Record<TermField, null>),
  asis: false,
  neverdeployed: false,
  termsInWords: [],
  damageInWords: null,
}

const alternator: Listing = {
  ...noTexts,
  ...noTerms,
  id: '019f0000-0000-7000-8000-000000000001',
  kind: 'ecommerce',
  partslug: '2014-toyota-camry-alternator-a1b2c3',
  partname: 'Alternator',
  heading: null,
  imageProblem: null,
  partdescription: 'Tested',
  partyear: '2014',
  partyearto: null,
  partmanuId: '019f0000-0000-7000-8000-000000000002',
  partmanuname: 'Toyota',
  partmodelId: '019f0000-0000-7000-8000-000000000003',
  partmodel: 'Camry',
  parttrim: null,
  partcategoryId: '019f0000-0000-7000-8000-000000000004',
  partcategory: { id: '019f0000-0000-7000-8000-000000000004', name: 'Alternator' },
  categoryGroup: 'electrical',
  partgrade: 'A',
  partnum: '27060-0V210',
  stocknum: 'S-12',
  vin: null,
  partprice: 129.9,
  currency: 'USD',
  partquantity: 1,
  partshipping: 20,
  shippingKind: 'flat',
  partmiles: null,
  partdamage: null,
  partcity: 'Tulsa',
  partstate: 'OK',
  zipcode: '74103',
  latitude: null,
  longitude: null,
  dealername: 'Green Country Salvage',
  dealerphone: '(918) 555-0100',
  phoneb: null,
  preferredContact: 'email',
  takesOffers: true,
  imageUrl: null,
  images: [],
  status: 'ACTIVE',
  version: 3,
  createdAt: '2026-01-02T03:04:05.000Z',
  updatedAt: '2026-01-02T03:04:05.000Z',
  endedAt: null,
  endedReason: null,
  availability: 'now',
  heldUntil: null,
  soldOnline: false,
  mine: true,
}

test('defaults stored on the device override those of the account', () => {
  const values = valuesFromDefaults(
    { city: 'Tulsa', grade: 'b (good)', shipping: ' ' },
    { city: 'Joplin', state: 'MO', shipping: 'Flat $20' },
  )
  expect(values).toMatchObject({
    partcity: 'Tulsa',
    partstate: 'MO',
    partgrade: 'B',
    partshipping: 'Flat $20',
  })
  expect(values.partname).toBe('')
  expect(valuesFromDefaults({ grade: 'used' }, {}).partgrade).toBe('')
})

test.each([
  [{ shippingKind: 'free', partshipping: 0 }, 'Free'],
  [{ shippingKind: 'pickup', partshipping: null }, 'Pickup only'],
  [{ shippingKind: 'flat', partshipping: 20 }, '20'],
  [{ shippingKind: 'quote', partshipping: null }, ''],
] as const)('shipping %o is edited as "%s"', (shipping, text) => {
  expect(valuesOfListing({ ...alternator, ...shipping }).partshipping).toBe(text)
})

test('a new listing sends only the fields of its form', () => {
  const values = { ...emptyValues(), partname: ' Alternator ', partmiles: '90000', partdamage: 'dent' }
  expect(bodyToCreate('ecommerce', values)).toEqual({ partname: 'Alternator', partmiles: '90000' })
  expect(bodyToCreate('quick', values)).toEqual({
    partname: 'Alternator',
    partmiles: '90000',
    partdamage: 'dent',
  })
})

test('a new quick listing uses the spec’s field names', () => {
  const said = { partname: 'Door', partdescription: 'Dent', dealername: 'Yard', dealerphone: '555-0142' }
  expect(renamed(said, namesToCreate.quick)).toEqual({
    partname: 'Door',
    partdesc: 'Dent',
    partdealer: 'Yard',
    phonea: '555-0142',
  })
  expect(renamed(said, namesToCreate.ecommerce)).toEqual(said)
})

test('an edit sends only the changed fields, with cleared ones empty', () => {
  const before = valuesOfListing(alternator)
  const after = { ...before, partprice: '119.00', zipcode: '', partcity: ' Tulsa ' }
  expect(bodyToUpdate('ecommerce', before, after)).toEqual({ partprice: '119.00', zipcode: '' })
  expect(bodyToUpdate('ecommerce', before, before)).toEqual({})
})

test('years are edited as a span, and narrowing it to the first year is sent as a span', () => {
  const before = valuesOfListing({ ...alternator, partyear: '2012', partyearto: '2015' })
  expect(before.partyear).toBe('2012-2015')
  const change = (partyear: string) => bodyToUpdate('quick', before, { ...before, partyear })
  expect(change('2012-2016')).toEqual({ partyear: '2012-2016' })
  expect(change('2012')).toEqual({ partyear: '2012-2012' })
  expect(change('2013')).toEqual({ partyear: '2013' })
})

test('the next part off the same car keeps car and dealer; a duplicate keeps everything but address and stock number', () => {
  const values = valuesOfListing(alternator)
  expect(sameCarValues(values)).toMatchObject({
    partyear: '2014',
    partmodel: 'Camry',
    dealername: 'Green Country Salvage',
    partshipping: '20',
    partname: '',
    partnum: '',
    partprice: '',
  })
  expect(duplicateValues(values)).toEqual({ ...values, partslug: '', stocknum: '' })
})

test('typed values win over changes others made in the meantime', () => {
  const before = valuesOfListing(alternator)
  const typed = { ...before, partprice: '119.00' }
  const current = { ...before, partprice: '125.00', partcity: 'Joplin' }
  expect(mergedValues('ecommerce', { before, typed, current })).toEqual({ ...current, partprice: '119.00' })
})

test('only a field that both changed, and differently, is reported', () => {
  const before = valuesOfListing(alternator)
  const typed = { ...before, partprice: '119.00', partcity: 'Joplin', zipcode: '64801', partmanuId: 'mine' }
  const current = { ...before, partprice: '125.00', partcity: 'Joplin', partnum: 'X-1', partmanuId: 'theirs' }
  expect(overlapsOf('ecommerce', { before, typed, current })).toEqual([
    { field: 'partprice', theirs: '125.00', mine: '119.00' },
  ])
})

test('a new quick listing sends no shipping, but an edit can change it', () => {
  const before = valuesOfListing({ ...alternator, kind: 'quick' })
  expect(bodyToCreate('quick', before)).not.toHaveProperty('partshipping')
  expect(bodyToUpdate('quick', before, { ...before, partshipping: 'Free' })).toEqual({ partshipping: 'Free' })
})

test.each(listingKinds)(
  'every text of the %s form is read from the listing and sent when changed',
  (kind) => {
    const texts = textFields.filter((field) => isInForm(field, kind))
    const named = Object.fromEntries(texts.map((field) => [replyNameOf(field), `old ${field}`]))
    const before = valuesOfListing({ ...alternator, kind, ...named })
    const after = { ...before, ...Object.fromEntries(texts.map((field) => [field, `new ${field}`])) }
    expect(texts.map((field) => before[field])).toEqual(texts.map((field) => `old ${field}`))
    expect(bodyToUpdate(kind, before, after)).toEqual(
      Object.fromEntries(texts.map((field) => [field, `new ${field}`])),
    )
    expect(Object.keys(before)).toEqual(allFields)
  },
)

test.each([
  [null, {}],
  ['{"city":"Tulsa","shipping":"Flat $20"}', { city: 'Tulsa', shipping: 'Flat $20' }],
  ['{"city":7,"state":null,"other":"x"}', {}],
  ['not json', {}],
  ['"text"', {}],
])('stored defaults %s are read as far as they are valid', (stored, defaults) => {
  expect(readListingDefaults(stored)).toEqual(defaults)
})

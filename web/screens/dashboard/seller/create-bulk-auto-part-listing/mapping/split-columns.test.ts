import { expect, test } from 'vitest'
import { testVocabulary as vocabulary } from '#tests/support/test-vocabulary.ts'
import { noColumns } from './column-choice.ts'
import { splitOffers, withSplit } from './split-columns.ts'

const offered = (headers: string[], samples: string[][], mapping = {}) =>
  splitOffers({ headers, samples, vocabulary, mapping, year: 2026 }).map(({ split }) => split)

test('in a web shop’s export the title is split, not the page’s URL', () => {
  const headers = ['Handle', 'Title']
  const samples = [
    ['2008-lexus-rx-350-throttle-body-g10000', '2008 Lexus RX 350 Throttle Body'],
    ['2019-subaru-outback-ignition-coil-g10014', '2019 Subaru Outback Ignition Coil'],
  ]
  expect(offered(headers, samples, { partname: 'Title' })).toEqual([{ from: 'Title', as: 'title' }])
})

test('a column of titles that names the parts is split before one of tags', () => {
  const headers = ['Title', 'Tags']
  const samples = [
    ['2008 Lexus RX 350 Throttle Body', 'Lexus, RX, 2008'],
    ['Throttle Body', 'Lexus, RX, 2008'],
    ['2019 Subaru Outback Ignition Coil', 'Subaru, Outback, 2019'],
    ['2004 Subaru Forester Hood', 'Subaru, Forester, 2004'],
  ]
  expect(offered(headers, samples, { partname: 'Title' })).toEqual([{ from: 'Title', as: 'title' }])
})

test('titles are split if the vehicle columns are empty', () => {
  const headers = ['Title', 'Fitment make', 'Fitment model', 'Fitment year']
  const vehicle = { partmanu: 'Fitment make', partmodel: 'Fitment model', partyear: 'Fitment year' }
  const mapping = { partname: 'Title', ...vehicle }
  const title = '2019 Subaru Outback Ignition Coil'
  expect(offered(headers, [[title, '', '', '']], mapping)).toEqual([{ from: 'Title', as: 'title' }])
  expect(offered(headers, [[title, 'Subaru', 'Outback', '2019']], mapping)).toEqual([])
})

test('a stock number that is also a model is no vehicle', () => {
  const samples = [
    ['X1', 'Grille', '2016 Honda Civic EX-T Coupe'],
    ['X3', 'Hood', '2013 Mini Cooper S Clubman'],
  ]
  const mapping = { stocknum: 'Stock', partname: 'Part' }
  expect(offered(['Stock', 'Part', 'Vehicle'], samples, mapping)).toEqual([
    { from: 'Vehicle', as: 'vehicle' },
  ])
})

test('titles of an eBay file are split if some of its listings have no fitment', () => {
  const title = '2019 Subaru Outback Ignition Coil'
  const mapping = {
    partname: 'Title',
    partmanu: 'Fitment make',
    partmodel: 'Fitment model',
    partyear: 'Fitment year',
  }
  const fitted = [title, 'Subaru', 'Outback', '2019']
  const samples = [fitted, fitted, fitted, [title, '', '', '']]
  const headers = ['Title', 'Fitment make', 'Fitment model', 'Fitment year']
  expect(offered(headers, samples, mapping)).toEqual([{ from: 'Title', as: 'title' }])
})

test('titles are split for model and year if only the make has a column, as a shop’s vendor', () => {
  const samples = [
    ['2008 Lexus RX 350 Throttle Body', 'Lexus'],
    ['2019 Subaru Outback Ignition Coil', 'Subaru'],
  ]
  const mapping = { partname: 'Title', partmanu: 'Vendor' }
  expect(offered(['Title', 'Vendor'], samples, mapping)).toEqual([{ from: 'Title', as: 'title' }])
})

test('descriptions of items are split for the year, if their paths name make and model', () => {
  const samples = [
    ['2019 Outback Ignition Coil', 'Subaru', 'Outback'],
    ['2004 Forester Hood', 'Subaru', 'Forester'],
  ]
  const mapping = { partname: 'Description', partmanu: 'Make', partmodel: 'Model' }
  expect(offered(['Description', 'Make', 'Model'], samples, mapping)).toEqual([
    { from: 'Description', as: 'title' },
  ])
})

test('descriptions are split for the year that they alone have, beside columns of make and model', () => {
  const headers = ['Description', 'Make', 'Model']
  const mapping = { partname: 'Description', partmanu: 'Make', partmodel: 'Model' }
  const samples = [
    ['Alternator 2008 5.3L', 'Chevrolet', 'Silverado 1500'],
    ['Tail light, left, 2012', 'Toyota', 'Camry'],
  ]
  expect(offered(headers, samples, mapping)).toEqual([{ from: 'Description', as: 'title' }])
  const undated = samples.map(([text = '', ...car]) => [text.replace(/ \d{4}/, ''), ...car])
  expect(offered(headers, undated, mapping)).toEqual([])
})

test('typed lines give their price, too, unless the file has a column for it', () => {
  const samples = [
    ['2019 Subaru Outback hood $125'],
    ['04 forester alternator 60 obo'],
    ['2008 Lexus RX seat'],
  ]
  expect(offered(['Item'], samples, { partname: 'Item' })).toEqual([{ from: 'Item', as: 'priced title' }])
  const mapping = { partname: 'Item', partprice: 'Price' }
  expect(offered(['Item', 'Price'], samples, mapping)).toEqual([{ from: 'Item', as: 'title' }])
})

test('one vehicle among others may be a new model', () => {
  const vehicles = ['2008 Lexus RX350', '2019 Subaru Outback', '2004 Subaru Forester', '2022 Subaru Zorblatt']
  const samples = vehicles.map((vehicle) => [vehicle, 'Hood'])
  expect(offered(['Vehicle', 'Part'], samples, { partname: 'Part' })).toEqual([
    { from: 'Vehicle', as: 'vehicle' },
  ])
})

test('a split vehicle takes the place of a guessed make or model, such as a wheel’s finish, and leaves a sure one', () => {
  const guess = { confidence: 0.6, reason: '', sure: false }
  const choice = {
    ...noColumns,
    mapping: { partname: 'Type', partmanu: 'Make', partmodel: 'Model / Finish' },
    reasons: { partmanu: { ...guess, sure: true }, partmodel: guess },
  }
  expect(withSplit(choice, { from: 'Fits', as: 'vehicle' }).mapping).toEqual({
    partname: 'Type',
    partmanu: 'Make',
    split: { from: 'Fits', as: 'vehicle' },
  })
})

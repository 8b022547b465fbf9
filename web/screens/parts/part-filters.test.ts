import { describe, expect, test } from 'vitest'
import {
  changedQuery,
  countFilters,
  isNarrowed,
  movedQuery,
  readableQuery,
  sortOrdersOf,
  withChange,
} from './part-filters.ts'

const query = (text: string) => new URLSearchParams(text)

function form(...fields: [string, string][]): FormData {
  const data = new FormData()
  for (const [name, value] of fields) data.append(name, value)
  return data
}

describe('the query of a submitted form', () => {
  test.each<[string, string, [string, string][], string]>([
    [
      'several boxes of one filter',
      '',
      [
        ['grade', 'A'],
        ['grade', 'B'],
      ],
      'grade=A%2CB',
    ],
    [
      'empty and default values',
      '',
      [
        ['q', ' '],
        ['within', '100'],
        ['perPage', '12'],
        ['view', 'grid'],
      ],
      '',
    ],
    [
      'another make',
      'make=ford&model=focus',
      [
        ['make', 'honda'],
        ['model', 'focus'],
      ],
      'make=honda',
    ],
    [
      'the same make',
      'make=ford&model=focus',
      [
        ['make', 'ford'],
        ['model', 'focus'],
      ],
      'make=ford&model=focus',
    ],
    [
      'a place and a distance',
      '',
      [
        ['zip', '74103'],
        ['within', '100'],
      ],
      'zip=74103&within=100',
    ],
    [
      'a distance without a place',
      'zip=74103',
      [
        ['zip', ''],
        ['within', '50'],
        ['sort', 'nearest'],
      ],
      '',
    ],
    [
      'words as typed',
      'q=altenator&exact=1',
      [
        ['q', 'altenator'],
        ['grade', 'A'],
      ],
      'q=altenator&grade=A&exact=1',
    ],
    ['other words', 'q=altenator&exact=1', [['q', 'alternator']], 'q=alternator'],
    ['always the first page', 'q=door&page=3', [['q', 'door']], 'q=door'],
  ])('%s', (_name, before, fields, after) => {
    expect(changedQuery(query(before), form(...fields)).toString()).toBe(after)
  })
})

test('a price range and a place each count as one filter; words and order count as none', () => {
  expect(countFilters(query('q=door&sort=newest&view=list&priceMin=5&priceMax=50&zip=74103&radius=50'))).toBe(
    2,
  )
  expect(countFilters(query('manuId=1&make=ford&zip=74103&within=50&radius=25'))).toBe(2)
  expect(
    countFilters(query('zip=00000&within=50&priceMin=abc&side=left'), { zip: 'None', priceMin: 'No' }),
  ).toBe(1)
  expect(isNarrowed(query('sort=newest&view=list&page=2'))).toBe(false)
  expect(isNarrowed(query('within=50'))).toBe(false)
  expect(isNarrowed(query('zip=74103'))).toBe(false)
  expect(isNarrowed(query('q=door'))).toBe(true)
})

test('best match needs words, nearest a place', () => {
  const orders = (text: string) => sortOrdersOf(query(text)).map(({ label }) => label)
  expect(orders('')).not.toContain('Best match')
  expect(orders('q=door')[0]).toBe('Best match')
  expect(orders('')).not.toContain('Nearest first')
  expect(orders('zip=74103')).toContain('Nearest first')
})

test('a change goes back to the first page', () => {
  expect(withChange(query('q=door&page=4&view=list'), { view: undefined })).toBe('?q=door')
  expect(withChange(query('page=2'), {})).toBe('')
})

const camry = { make: { slug: 'toyota', name: 'Toyota' }, model: { slug: 'camry', name: 'Camry' } }

test.each([
  ['manuId=1&modelId=7&year=2014', 'make=toyota&model=camry&year=2014'],
  ['year=2014&modelId=7', 'year=2014&model=camry&make=toyota'],
  ['make=toyota&category=no-such', 'make=toyota&category=no-such'],
  ['make=toyota-motor&grade=A', 'make=toyota&grade=A'],
])('%s is readable as %s', (asked, readable) => {
  expect(readableQuery(query(asked), camry).toString()).toBe(readable)
})

test('an address with a former name moves, one with an id does not', () => {
  const found = { chosen: camry } as Parameters<typeof movedQuery>[1]
  expect(movedQuery(query('make=toyota-motor&model=camry&view=list'), found)?.toString()).toBe(
    'make=toyota&model=camry&view=list',
  )
  for (const current of ['make=toyota&model=camry', 'manuId=1', 'manuId=1&make=toyota-motor', 'q=door']) {
    expect(movedQuery(query(current), found)).toBeUndefined()
  }
})

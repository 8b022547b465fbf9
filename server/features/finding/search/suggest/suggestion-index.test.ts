import { describe, expect, it, test } from 'vitest'
import { beginsAlmostLike, buildIndex, pairKey, suggestCar, suggestFrom } from './suggestion-index.ts'

/** Fewer parts of each newer year. */
const years = (from: number, to: number) =>
  new Map(Array.from({ length: to - from + 1 }, (_, at) => [from + at, 2_100 - from - at]))

const ofAnyYear = (live: number) => ({ live, years: new Map<number, number>() })

const index = buildIndex({
  parts: [
    { id: 'alternator', name: 'Alternator', otherNames: ['generator'], count: ofAnyYear(40) },
    {
      id: 'headlamp',
      name: 'Headlamp Assembly',
      otherNames: ['headlight', 'head light'],
      count: ofAnyYear(70),
    },
    { id: 'ballast', name: 'Headlamp Ballast', otherNames: [], count: ofAnyYear(3) },
    { id: 'tailgate', name: 'Tailgate', otherNames: [], foreignNames: ['altillo'], count: ofAnyYear(50) },
    { id: 'tail', name: 'Tail Lamp Assembly', otherNames: ['taillight'], count: ofAnyYear(60) },
    { id: 'gearbox', name: 'Automatic Transmission', otherNames: ['tranny'], count: ofAnyYear(20) },
  ],
  makes: [
    { id: 'ford', name: 'Ford', otherNames: [], count: ofAnyYear(200) },
    { id: 'chevrolet', name: 'Chevrolet', otherNames: ['Chevy'], count: ofAnyYear(150) },
    { id: 'honda', name: 'Honda', otherNames: [], count: ofAnyYear(90) },
  ],
  models: [
    {
      id: 'f150',
      makeId: 'ford',
      name: 'F-150',
      otherNames: [],
      count: { live: 120, years: years(2004, 2020) },
    },
    {
      id: 'focus',
      makeId: 'ford',
      name: 'Focus',
      otherNames: [],
      count: { live: 30, years: years(2008, 2014) },
    },
    {
      id: 'malibu',
      makeId: 'chevrolet',
      name: 'Malibu',
      otherNames: [],
      count: { live: 60, years: years(2010, 2016) },
    },
    {
      id: 'crv',
      makeId: 'honda',
      name: 'CR-V',
      otherNames: [],
      count: { live: 70, years: years(2002, 2020) },
    },
  ],
  sellers: [
    { name: 'Harbor Ford Salvage', slug: 'harbor-ford', live: 80 },
    { name: 'Tailwind Auto Parts', slug: 'tailwind', live: 10 },
  ],
})

const together = new Map([
  [pairKey({ modelId: 'f150', partId: 'headlamp' }), 9],
  [pairKey({ modelId: 'f150', partId: 'tail' }), 12],
  [pairKey({ modelId: 'crv', partId: 'alternator' }), 4],
])
const countPairs = () => Promise.resolve(together)

const labels = async (typed: string) =>
  (await suggestFrom(index, typed, countPairs)).map(({ kind, label }) => `${kind}: ${label}`)

test.each<[typed: string, expected: string[]]>([
  ['', []],
  ['!?', []],
  ['zzz', []],
  ['altern', ['part: Alternator']],
  // What a tailgate is called elsewhere comes behind every English name.
  ['alt', ['part: Alternator']],
  ['altillo f150', ['words: altillo Ford F-150']],
  ['altil', ['part: Tailgate']],
  ['ALTERN', ['part: Alternator']],
  ['altenator', ['part: Alternator']],
  ['alternater', ['part: Alternator']],
  ['headl', ['part: Headlamp Assembly', 'part: Headlamp Ballast']],
  ['headlight', ['part: Headlamp Assembly']],
  ['head ligh', ['part: Headlamp Assembly']],
  ['tranny', ['part: Automatic Transmission']],
  ['tail', ['part: Tail Lamp Assembly', 'part: Tailgate', 'seller: Tailwind Auto Parts']],
  ['tail gate', ['part: Tailgate']],
  ['chev', ['vehicle: Chevrolet', 'vehicle: Chevrolet Malibu']],
  ['f150', ['vehicle: Ford F-150', 'vehicle: 2004 Ford F-150', 'vehicle: 2005 Ford F-150']],
  ['f-150', ['vehicle: Ford F-150', 'vehicle: 2004 Ford F-150', 'vehicle: 2005 Ford F-150']],
  ['crv', ['vehicle: Honda CR-V', 'vehicle: 2002 Honda CR-V', 'vehicle: 2003 Honda CR-V']],
  ['cr v', ['vehicle: Honda CR-V', 'vehicle: 2002 Honda CR-V', 'vehicle: 2003 Honda CR-V']],
  ['ford', ['vehicle: Ford', 'vehicle: Ford F-150', 'vehicle: Ford Focus', 'seller: Harbor Ford Salvage']],
  ['2012 ford f', ['vehicle: 2012 Ford F-150', 'vehicle: 2012 Ford Focus']],
  ["'18 ford", ['vehicle: 2018 Ford F-150']],
  ['2030 ford', ['words: 2030 Ford', 'words: 2030 Ford F-150', 'words: 2030 Ford Focus']],
  ['f150 headlight', ['words: Ford F-150 Headlamp Assembly']],
  ['2012 f150 t', ['words: 2012 Ford F-150 Tail Lamp Assembly']],
  ['alternator cr-v', ['words: Honda CR-V Alternator']],
  ['altenator honda', ['words: Honda CR-V Alternator']],
  ['2025 f150 headlight', ['words: 2025 f150 Headlamp Assembly']],
  ['focus headlight', ['words: focus Headlamp Assembly']],
  ["driver's side headli", ["words: driver's side Headlamp Assembly"]],
  ['lh tail gat', ['words: lh Tailgate']],
])('“%s” proposes %j', async (typed, expected) => {
  expect(await labels(typed)).toEqual(expected)
})

it('leads to searches and to sellers', async () => {
  expect((await suggestFrom(index, 'headlight f150', countPairs))[0]?.url).toBe(
    '/parts?q=Ford+F-150+Headlamp+Assembly',
  )
  expect(await suggestFrom(index, 'harbor', countPairs)).toEqual([
    { kind: 'seller', label: 'Harbor Ford Salvage', url: '/sellers/harbor-ford', count: 80 },
  ])
})

it('counts what each leads to', async () => {
  const counts = async (typed: string) =>
    (await suggestFrom(index, typed, countPairs)).map(({ label, count }) => [label, count])
  expect(await counts('f150 headlight')).toEqual([['Ford F-150 Headlamp Assembly', 9]])
  expect(await counts('malibu')).toEqual([
    ['Chevrolet Malibu', 60],
    ['2010 Chevrolet Malibu', 90],
    ['2011 Chevrolet Malibu', 89],
  ])
})

it('suggests a car only if something of it is in stock', () => {
  const car = (modelId: string, year?: number) => suggestCar(index, { modelId, year })
  expect(car('malibu', 2012)).toMatchObject({ label: '2012 Chevrolet Malibu', count: 88 })
  expect(car('malibu')).toMatchObject({ label: 'Chevrolet Malibu', count: 60 })
  expect(car('malibu', 2020)).toBeUndefined()
  expect(car('camaro', 2012)).toBeUndefined()
})

test('counts change while the index is in use', async () => {
  const [alternator, wiper] = [ofAnyYear(1), ofAnyYear(0)]
  const changing = buildIndex({
    parts: [
      { id: 'alternator', name: 'Alternator', otherNames: [], count: alternator },
      { id: 'wiper', name: 'Wiper Arm', otherNames: [], count: wiper },
    ],
    makes: [],
    models: [],
    sellers: [],
  })
  const find = async (typed: string) => (await suggestFrom(changing, typed, countPairs)).length
  expect([await find('alt'), await find('wip')]).toEqual([1, 0])
  alternator.live -= 1
  wiper.live += 2
  expect([await find('alt'), await find('wip')]).toEqual([0, 1])
})

describe('a word begins almost as typed', () => {
  test.each([
    ['alternator', 'altenator'],
    ['alternator', 'alternater'],
    ['alternator', 'altre'],
    ['alternator', 'allter'],
    ['alternator', 'alrer'],
    ['alternator', 'alternatorr'],
  ])('%s: %s', (word, typed) => expect(beginsAlmostLike(word, typed)).toBe(true))
  test.each([
    ['alternator', 'altanater'],
    ['alternator', 'allteer'],
    ['alt', 'alternator'],
  ])('%s, but not %s', (word, typed) => expect(beginsAlmostLike(word, typed)).toBe(false))
})

test('each word of a long text is looked up once, in however many combinations', async () => {
  const names = Array.from({ length: 500 }, (_, at) => `t${at.toString(36).padStart(3, 'x')}`)
  const parts = names.map((name) => ({ id: name, name, otherNames: [], count: ofAnyYear(1) }))
  const large = buildIndex({ parts, makes: [], models: [], sellers: [] })
  let looks = 0
  const words = new Proxy(large.words, {
    get(target, at) {
      looks += 1
      return Reflect.get(target, at)
    },
  })
  const typed = 'toyoto tailigte tranmission tirres trnk tensionr thermosat throtle'
  await suggestFrom({ ...large, words }, typed, async () => new Map())
  // Eight words and their seven pairs, each at most compared with all twice (once read, once as the loop's condition).
  expect(looks).toBeLessThan(15 * 2 * 500 + 15 * 100)
})

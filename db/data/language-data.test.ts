import { describe, expect, it } from 'vitest'
import { readCsv, readModelFamilies, readPartTypes, readVehicles } from './read-data.ts'

const read = (name: string) => readCsv(new URL(name, import.meta.url))
const generations = read('generations.csv')
const engineCodes = read('engine-codes.csv')
const gearboxCodes = read('gearbox-codes.csv')
const foreignParts = read('foreign-parts.csv')
const fillerWords = read('filler-words.csv')

const models = [...readVehicles(), ...readModelFamilies()]
const makes = new Set(models.map(({ manufacturer }) => manufacturer))

const listOf = (cell = '') =>
  cell
    .split(';')
    .map((item) => item.trim())
    .filter((item) => item !== '')
const duplicates = (keys: string[]) => keys.filter((key, at) => keys.indexOf(key) !== at)
const wordsOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll('/', '')
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')

describe('the language files', () => {
  it.each([
    ['generations.csv', generations, 'manufacturer,model,codes,ordinal,model_years', 250],
    ['engine-codes.csv', engineCodes, 'manufacturers,code,litres,cylinders', 150],
    ['gearbox-codes.csv', gearboxCodes, 'part,noun,codes', 3],
    ['foreign-parts.csv', foreignParts, 'language,words,means', 350],
    ['filler-words.csv', fillerWords, 'language,words,unless', 50],
  ])('%s has its columns, every cell filled in that must be', (_, rows, header, atLeast) => {
    expect(rows.length).toBeGreaterThanOrEqual(atLeast)
    const optional = new Set(['codes', 'ordinal', 'litres', 'cylinders', 'unless'])
    const isFilled = (row: Record<string, string>) =>
      Object.entries(row).every(([column, value]) => value !== '' || optional.has(column))
    expect(rows.filter((row) => Object.keys(row).join() !== header || !isFilled(row))).toEqual([])
  })
})

describe('generations.csv', () => {
  const spans = generations.map((row) => {
    const [from = Number.NaN, to = from] = String(row.model_years).split('-').map(Number)
    const of = `${row.manufacturer}/${row.model}`
    return { of, codes: listOf(row.codes), ordinal: String(row.ordinal), from, to }
  })
  const vpic = read('vpic/models.csv')

  /** Years in which a model was sold: by its own name, by another, or by the name that NHTSA gives a whole family. */
  const soldYears = (of: string): Set<number> => {
    const named = models.filter(({ manufacturer, model }) => `${manufacturer}/${model}` === of)
    const names = named.flatMap(({ model, otherNames }) => [model, ...otherNames.map(({ name }) => name)])
    const isNamed = (name: string) =>
      names.some((own) => `${own} `.toLowerCase().startsWith(`${name} `.toLowerCase()))
    const make = of.split('/', 1)[0]?.toLowerCase()
    const ranges = [
      ...named.flatMap(({ years }) => years),
      ...vpic
        .filter((row) => row.make?.toLowerCase() === make && isNamed(row.model ?? ''))
        .flatMap((row) => String(row.model_years).split(' '))
        .map((range) => range.split('-').map(Number)),
    ]
    return new Set(
      ranges.flatMap(([from = 0, to = from]) => Array.from({ length: to - from + 1 }, (_, at) => from + at)),
    )
  }

  it('names models of our vehicle data, in years in which they were sold', () => {
    const known = new Set(models.map(({ manufacturer, model }) => `${manufacturer}/${model}`))
    expect(spans.map(({ of }) => of).filter((of) => !known.has(of))).toEqual([])
    const sold = new Map([...new Set(spans.map(({ of }) => of))].map((of) => [of, soldYears(of)]))
    const isSold = (of: string, year: number) => sold.get(of)?.has(year) === true
    const wrong = spans.filter(({ of, from, to }) => !(from <= to && isSold(of, from) && isSold(of, to)))
    expect(wrong).toEqual([])
  })

  it('gives each generation a code or an ordinal, and each of them to one generation of a model', () => {
    expect(spans.filter(({ codes, ordinal }) => codes.length === 0 && ordinal === '')).toEqual([])
    const codes = spans.flatMap(({ of, codes }) => codes.map((code) => `${of} ${code.toLowerCase()}`))
    expect(duplicates(codes)).toEqual([])
    const ordinals = spans.flatMap(({ of, ordinal }) => (ordinal === '' ? [] : `${of} ${ordinal}`))
    expect(duplicates(ordinals)).toEqual([])
  })

  it('counts generations in the order of their years', () => {
    const last = new Map<string, { ordinal: number; from: number; to: number }>()
    for (const { of, ordinal, from, to } of spans.filter((span) => span.ordinal !== '')) {
      expect(ordinal, of).toMatch(/^[1-9]\d?$/)
      const before = last.get(of)
      if (before) {
        expect(Number(ordinal), of).toBeGreaterThan(before.ordinal)
        expect(from, of).toBeGreaterThan(before.from)
        expect(to, of).toBeGreaterThan(before.to)
      }
      last.set(of, { ordinal: Number(ordinal), from, to })
    }
  })

  it.each([
    ['BMW/3 Series', 'E46', [1999, 2006]],
    ['Honda/Civic', 'FK8', [2017, 2021]],
    ['Mercedes-Benz/C-Class', 'W204', [2008, 2015]],
    ['Volkswagen/Golf GTI', 'Mk7', [2015, 2021]],
    ['Ford/Mustang', 'SN95', [1994, 2004]],
    ['Chevrolet/Silverado 1500', 'GMT800', [1999, 2006]],
    ['Jeep/Wrangler', 'JK', [2007, 2018]],
  ])('knows what people call a %s: %s', (model, code, years) => {
    const found = spans.filter(({ of, codes }) => of === model && codes.includes(code))
    expect(found.map(({ from, to }) => [from, to])).toEqual([years])
  })
})

describe('engine-codes.csv and gearbox-codes.csv', () => {
  it('have every code once, hyphens aside', () => {
    const all = [
      ...engineCodes.map(({ code = '' }) => code),
      ...gearboxCodes.flatMap(({ codes = '' }) => listOf(codes)),
    ]
    const codes = all.map((code) => code.toLowerCase().replaceAll('-', ''))
    expect(duplicates(codes)).toEqual([])
  })

  it('names manufacturers of our vehicle data, liters and cylinders as engines have them', () => {
    for (const row of engineCodes) {
      expect(
        listOf(row.manufacturers).filter((make) => !makes.has(make)),
        row.code,
      ).toEqual([])
      expect(row.litres, row.code).toMatch(/^([0-8]\.\d)?$/)
      expect(row.cylinders, row.code).toMatch(/^([34568]|10|12)?$/)
    }
  })

  it.each([
    ['2AZ-FE', '2.4', '4'],
    ['2JZ-GTE', '3.0', '6'],
    ['LS1', '5.7', '8'],
    ['VQ35DE', '3.5', '6'],
    ['EJ25', '2.5', '4'],
    ['OM642', '3.0', '6'],
  ])('knows that a %s has %s liters and %s cylinders', (code, litres, cylinders) => {
    const found = engineCodes.filter((row) => row.code === code)
    expect(found.map((row) => [row.litres, row.cylinders])).toEqual([[litres, cylinders]])
  })
})

describe('foreign-parts.csv', () => {
  const phrases = foreignParts.flatMap((row) =>
    listOf(row.words).map((words) => ({ language: row.language, words, means: String(row.means) })),
  )
  /** Words for where a part sits and what it is like. */
  const extras = new Set(
    'front rear left right upper lower inside outside center side driver passenger complete used automatic manual electric'.split(
      ' ',
    ),
  )

  it('has every phrase of a language once; one that two languages share means the same in both', () => {
    expect(duplicates(phrases.map(({ language, words }) => `${language} ${words}`))).toEqual([])
    const meanings = new Set(phrases.map(({ words, means }) => `${words}: ${means}`))
    expect(duplicates([...meanings].map((meaning) => meaning.split(':', 1)[0] ?? ''))).toEqual([])
    expect(new Set(phrases.map(({ language }) => language))).toEqual(new Set(['de', 'es', 'fr', 'it', 'pt']))
  })

  it('writes phrases as part names are compared: plain, in the singular, without "de"', () => {
    for (const { words } of phrases) {
      expect(words).toMatch(/^[a-z0-9]+( [a-z0-9]+)*$/)
      expect(
        words.split(' ').filter((word) => /^(de|del|du|des|d|l)$/.test(word)),
        words,
      ).toEqual([])
      expect(
        words.split(' ').filter((word) => /...[^siu]s$|^[a-z]{2}[^siu]s$/.test(word) && word !== 'abs'),
        words,
      ).toEqual([])
    }
  })

  it('translates into the words of one category, with words for a place or condition', () => {
    const categories = readPartTypes().map(
      ({ name, aliases }) => new Set([name, ...aliases].flatMap(wordsOf)),
    )
    for (const { words, means } of phrases) {
      const nouns = wordsOf(means).filter((word) => !extras.has(word))
      const isKnown = categories.some((known) => nouns.every((word) => known.has(word)))
      expect(isKnown, `${words}: ${means}`).toBe(true)
    }
  })

  it.each([
    ['es', 'vidrio puerta trasera', 'door glass'],
    ['es', 'bisagra cofre', 'hood hinge'],
    ['es', 'faro antiniebla', 'fog lamp'],
    ['es', 'llanta', 'tire'],
    ['fr', 'boite vitesse automatique', 'automatic transmission'],
    ['fr', 'collecteur echappement', 'exhaust manifold'],
    ['de', 'kotflugel', 'fender'],
    ['de', 'stossstange hinten', 'rear bumper'],
  ])('knows a name of yards (%s): "%s" is a %s', (language, words, means) => {
    const found = phrases.filter((phrase) => phrase.language === language && phrase.words === words)
    expect(found.map((phrase) => phrase.means)).toEqual([means])
  })
})

describe('filler-words.csv', () => {
  const phrases = fillerWords.flatMap((row) =>
    listOf(row.words).map((words) => ({
      key: `${row.language} ${words}`,
      words,
      unless: row.unless,
    })),
  )

  it('has every phrase of a language once, in lower case', () => {
    expect(duplicates(phrases.map(({ key }) => key))).toEqual([])
    expect(phrases.filter(({ words }) => words !== words.toLowerCase())).toEqual([])
  })

  it('leaves out the words that turn a search around', () => {
    const turning = [
      ...['or', 'no', 'not', 'nor', 'without', 'except'].map((word) => `en ${word}`),
      ...['o', 'u', 'ni', 'no', 'sin', 'excepto'].map((word) => `es ${word}`),
      ...['ou', 'ni', 'non', 'pas', 'sans', 'sauf'].map((word) => `fr ${word}`),
    ]
    expect(phrases.map(({ key }) => key).filter((key) => turning.includes(key))).toEqual([])
  })

  it('marks the words that are also a make, a model or a word for a part', () => {
    const names = new Set(
      [
        ...[
          ...makes,
          ...models.flatMap(({ model, otherNames }) => [model, ...otherNames.map(({ name }) => name)]),
        ],
        ...readPartTypes().flatMap(({ name, aliases }) =>
          [name, ...aliases].flatMap((text) => [text, ...text.split(/\W+/)]),
        ),
      ].map((name) => name.toLowerCase()),
    )
    const unmarked = phrases.filter(({ words, unless }) => names.has(words) && unless === '')
    expect(unmarked.map(({ key }) => key)).toEqual([])
  })

  it.each([["en don't"], ['en looking for'], ['en themselves'], ['es necesito'], ['fr je cherche']])(
    'knows "%s"',
    (key) => {
      expect(phrases.map((phrase) => phrase.key)).toContain(key)
    },
  )
})

import { beforeAll, describe, expect, test } from 'vitest'
import { builtInWriter } from '#server/features/writing/built-in-writer.ts'
import { describePart } from '#server/features/writing/description.ts'
import { headingOf } from '#server/features/writing/heading.ts'
import { type PartFacts, readPartFacts } from '#server/features/writing/part-facts.ts'
import { lengths } from '#server/features/writing/text-shape.ts'
import { allKnownNames, variedParts } from '#tests/support/written-parts.ts'

const known = allKnownNames()
const writer = builtInWriter({ known })

describe('over 2,000 varied records', () => {
  let parts: PartFacts[]
  let texts: string[]
  beforeAll(() => {
    parts = variedParts(2_000, 'records to write about')
    texts = parts.map(describePart)
  })

  test('every description passes the claim check', async () => {
    for (const facts of parts) expect(await writer.writeDescription(facts)).toMatchObject({ ok: true })
  })

  test('every heading passes the claim check', async () => {
    for (const facts of parts) expect(await writer.writeHeading(facts)).toMatchObject({ ok: true })
  })

  test('no two records read alike', () => {
    expect(new Set(texts).size).toBe(parts.length)
    const headings = parts.map(headingOf)
    // A heading has 70 characters; of the same part of the same car it cannot tell everything.
    expect(headings.length - new Set(headings).size).toBeLessThan(parts.length / 200)
  })

  test('nor do they share their sentences: five words in a row are seldom the same', () => {
    const sample = texts.slice(0, 400).map(fiveWords)
    const spread = distribution(pairs(sample))
    console.log('similarity of two descriptions (Jaccard of five words in a row):', spread)
    expect(spread.median).toBeLessThan(0.1)
    expect(spread.most).toBeLessThan(0.5)
  })

  test('parts of one kind do not read alike either', () => {
    const kind = parts.filter(({ category }) => category === 'Alternator' || category === 'Alloy Wheel')
    const spread = distribution(
      [...Map.groupBy(kind, ({ category }) => category).values()].flatMap((group) =>
        pairs(group.map((facts) => fiveWords(describePart(facts)))),
      ),
    )
    console.log('the same among parts of one category:', spread)
    expect(spread.median).toBeLessThan(0.2)
  })

  test('the same facts give the same text, however often and in whatever order', () => {
    expect(parts.toReversed().map(describePart).toReversed()).toEqual(texts)
    expect(parts.map(headingOf)).toEqual(parts.map(headingOf))
  })

  test('every fact of a record is told', () => {
    for (const [at, facts] of parts.entries()) {
      const wanted = [
        facts.partNumber,
        facts.miles?.toLocaleString('en-US'),
        facts.city,
        facts.vin,
        facts.trim,
        facts.priceCents && `$${Math.floor(facts.priceCents / 100).toLocaleString('en-US')}`,
      ]
      const text = texts[at]?.toLowerCase() ?? ''
      for (const fact of wanted) if (fact) expect(text).toContain(String(fact).toLowerCase())
      if (facts.grade) expect(text).toMatch(/grade|condition/)
    }
  })

  test('sentences are whole: no gaps, no doubled marks, the right article', () => {
    for (const text of texts) {
      expect(text).not.toMatch(/\s[.,;:]|[.,;:]{2}|\s\s|undefined|[{}[\]|]|\(\)/)
      expect(text).not.toMatch(/\ba (?:[aeio]|8|11\b|18\b|F1|ABS|EGR|A\/C|MKZ)/)
      expect(text).not.toMatch(/\ban (?:[bcdfgjklmnpqrstvwxyz]|2|CV|DEF)/)
      expect(text).toMatch(/^[A-Z0-9].*[.?]$/)
      expect(text.length).toBeGreaterThanOrEqual(lengths.description[0])
      expect(text.length).toBeLessThanOrEqual(lengths.description[1])
    }
  })
})

describe('records that say little, much or oddly', () => {
  test.each<[string, Record<string, string>]>([
    ['a name alone', { partname: 'Alternator' }],
    ['nothing at all', {}],
    ['a category alone', { partcategory: 'Hood' }],
    ['no name, a car', { partmanu: 'Ford', partmodel: 'Focus', partyear: '2014' }],
    ['a make without a model', { partname: 'Radiator', partmanu: 'Ford' }],
    ['a model without a make', { partname: 'Radiator', partmodel: 'Focus' }],
    [
      'a shouted name',
      { partname: 'HEADLIGHT ASSY LH', partmanu: 'FORD', partmodel: 'FOCUS', partyear: '2014' },
    ],
    [
      'a plural',
      { partname: 'Brake Pads', partmanu: 'Ford', partmodel: 'Focus', partquantity: '4', partmiles: '9' },
    ],
    [
      'the longest name',
      {
        partname: `Alternator ${'with bracket '.repeat(11)}`.slice(0, 160),
        partmanu: 'Ford',
        partmodel: 'Focus',
      },
    ],
    ['a name of one word', { partname: 'x'.repeat(160), partcategory: 'Hood' }],
    [
      'a damage of a page',
      { partname: 'Hood', partdamage: 'Dent along the lower edge and more. '.repeat(12) },
    ],
    [
      'a long car',
      {
        partname: 'Outside door handle, left front',
        partmanu: 'Mercedes-Benz',
        partmodel: 'Sprinter 3500 Cargo Extended High Roof',
        partyear: '2012-2018',
        partnum: 'A 906 760 11 34',
        partmiles: '84213',
      },
    ],
    ['marks of markup', { partname: 'Hood <b>x</b>', partmanu: 'Ford', partmodel: 'Focus' }],
    [
      'a wide range of years',
      { partname: 'Hood', partyear: '1992 - 2011', partmanu: 'Ford', partmodel: 'Focus' },
    ],
    [
      'a car within the name',
      { partname: '2014 Ford Focus Alternator', partmanu: 'Ford', partmodel: 'Focus', partyear: '2014' },
    ],
    ['a make that no lookup has', { partname: 'Hood', partmanu: 'Zastava', partmodel: 'Yugo' }],
    ['a category that no lookup has', { partname: 'Flux capacitor', partcategory: 'Time Travel' }],
  ])('%s', async (_, fields) => {
    for (let at = 0; at < 60; at += 1) {
      const facts = readPartFacts(`${at}`, fields)
      expect(await writer.writeDescription(facts)).toMatchObject({ ok: true })
      expect(await writer.writeHeading(facts)).toMatchObject({ ok: true })
    }
  })

  test('a plural is spoken of as many', () => {
    const texts = Array.from({ length: 60 }, (_, at) =>
      describePart(
        readPartFacts(`${at}`, {
          partname: 'Brake Pads',
          partmanu: 'Ford',
          partmodel: 'Focus',
          partmiles: '900',
        }),
      ),
    ).join(' ')
    expect(texts).not.toMatch(
      /\b(?:a|this) (?:used )?brake pads|\. (?:these )?(?:used )?brake pads (?:is|was|carries)\b/i,
    )
    expect(texts).toMatch(/these (?:used )?brake pads/i)
  })

  test('parts of different kinds get different advice', () => {
    const of = (partname: string) =>
      Array.from({ length: 20 }, (_, at) => describePart(readPartFacts(`${at}`, { partname }))).join(' ')
    expect(of('Alternator')).toMatch(/pulley/)
    expect(of('Front bumper cover')).not.toMatch(/pulley/)
    expect(of('Front bumper cover')).toMatch(/tabs|sensors/i)
    expect(of('Windshield')).toMatch(/stamp|chips|glass/i)
  })
})

describe('pages, links and names', () => {
  test('a landing page says its figures and passes the check, with few and with many', async () => {
    for (const listings of [0, 1, 2, 12, 1_234_567]) {
      for (const kind of ['category', 'manufacturer', 'model'] as const) {
        const name = { category: 'Lug Nut', manufacturer: 'Ford', model: 'Focus' }[kind]
        const page = { kind, name, listings, ...(kind === 'model' && { manufacturer: 'Ford' }) }
        expect(await writer.writeLanding(page)).toMatchObject({ ok: true })
        const full = { ...page, priceFromCents: 500, priceToCents: 120_050, yearFrom: 1995, yearTo: 2024 }
        const tops = {
          topCategories: ['Hood'],
          topManufacturers: ['Ford', 'Honda'],
          topModels: ['Focus', 'Civic', 'X5'],
        }
        expect(await writer.writeLanding({ ...full, ...tops })).toMatchObject({ ok: true })
      }
    }
  })

  test('two pages link to the same place in different words', async () => {
    const link = { kind: 'model' as const, name: 'Focus', manufacturer: 'Ford', listings: 17 }
    const texts = await Promise.all(
      Array.from({ length: 30 }, async (_, at) => writer.writeAnchor({ ...link, from: `/parts/${at}` })),
    )
    expect(new Set(texts.map((written) => written.ok && written.text)).size).toBeGreaterThan(4)
    expect(texts.every(({ ok }) => ok)).toBe(true)
  })

  test.each([
    ['manufacturer', 'Chevy', ['Chrysler', 'Chevrolet'], 'Chevrolet', true],
    ['manufacturer', 'VW', ['Volvo', 'Volkswagen'], 'Volkswagen', true],
    ['manufacturer', 'mercedes benz', ['Mercedes-Benz'], 'Mercedes-Benz', true],
    ['model', 'f-150', ['F150', 'F250'], 'F150', true],
    ['model', 'CROWN  VICTORIA', [], 'Crown Victoria', false],
    ['category', 'tail lamp assembly', [], 'Tail Lamp Assembly', false],
    ['manufacturer', 'BMW', [], 'BMW', false],
    ['model', 'Chevy', ['Chevrolet'], 'Chevy', false],
    ['manufacturer', 'Toyta', ['Toyota'], 'Toyta', false],
  ] as const)('the %s %s of %j is %s', async (kind, name, candidates, ...[expected, isKnown]) => {
    const written = await writer.proposeName({ kind, name, candidates })
    expect(written).toEqual({ ok: true, text: { name: expected, known: isKnown } })
  })
})

function fiveWords(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\w’'/&$.,-]+/g) ?? []
  return new Set(words.slice(0, -4).map((_, at) => words.slice(at, at + 5).join(' ')))
}

function jaccard(one: Set<string>, other: Set<string>): number {
  let shared = 0
  for (const gram of one) if (other.has(gram)) shared += 1
  return shared / (one.size + other.size - shared)
}

const pairs = (sets: readonly Set<string>[]): number[] =>
  sets.flatMap((one, at) => sets.slice(at + 1).map((other) => jaccard(one, other)))

function distribution(values: readonly number[]) {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number) => Number((sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(3))
  return { pairs: sorted.length, median: at(0.5), p90: at(0.9), p99: at(0.99), most: at(1) }
}

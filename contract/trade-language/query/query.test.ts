import { expect, test } from 'vitest'
import { interpret } from '#contract/trade-language/interpret.ts'
import { nameKey } from '#contract/trade-language/names.ts'
import {
  testCatalog as names,
  builtInWords as tradeWords,
  testVocabulary as vocabulary,
} from '#tests/support/test-vocabulary.ts'

/* With the catalog and the trade words that every installation begins with. Ids are names. */

const sellers = new Map([['ozarkridgesalvage', { label: 'Ozark Ridge Salvage', id: 'ozark' }]])
const meaningOf = (typed: string) =>
  interpret(typed, vocabulary, 'query', {
    sellers,
    year: 2026,
    sellerKey: (words) => nameKey(words).replace(/llc$/, ''),
  }).read

/** What was recognized, such as "make Ford, model F-150", and the rest as words. */
function told(typed: string): string {
  const { recognized, words, wishes } = meaningOf(typed)
  const rest = [...words.map((word) => `word ${word.join('|')}`), ...wishes.map((wish) => `wish ${wish}`)]
  return [...recognized.map(({ kind, label }) => `${kind} ${label}`), ...rest].join(', ')
}

test.each([
  // Words of the trade.
  ['taillamp', 'part Tail Lamp Assembly'],
  ['tail lamps', 'part Tail Lamp Assembly'],
  ['rear light', 'part Tail Lamp Assembly'],
  ['tranny', 'part Transmission'],
  ['ECU', 'part Engine Control Module'],
  ['engine computer', 'part Engine Control Module'],
  ['rim', 'part Wheel'],
  ['bonnet', 'part Hood'],
  ['boot', 'part Trunk Lid'],
  ['wing', 'part Fender'],
  ['gas tank', 'part Fuel Tank'],
  ['dash cluster', 'part Instrument Cluster'],
  ['A/C compressor', 'part A/C Compressor'],
  ['radiator fan shroud', 'part Radiator, part Fan Shroud, wish radiator'],
  ['parabrisas', 'part Windshield'],
  // Sides.
  ['lh mirror', 'side Left, part Mirror'],
  ["driver's side mirror", 'side Left, part Mirror'],
  ['drivers side mirror', 'side Left, part Mirror'],
  ['mirror RH', 'part Mirror, side Right'],
  ['FL door', 'side Front left, part Door'],
  ['RR tail light', 'side Rear right, part Tail Lamp Assembly'],
  ['rear shock', 'part Shock Absorber'],
  // Sellers.
  ['ozark ridge salvage alternator', 'seller Ozark Ridge Salvage, part Alternator'],
  ['f150 Ozark Ridge Salvage LLC', 'model F-150, seller Ozark Ridge Salvage'],
  // Models that are ordinary words or places need more than the bare word.
  ['hail storm', 'word hail, word storm'],
  ['hood damaged in hail storm', 'part Hood'],
  ['to alaska', 'word alaska'],
  ['ship a hood to alaska', 'part Hood'],
  ['hood near tucson', 'part Hood'],
  ['storm alternator', 'model Storm, part Alternator'],
  ['hood for a storm', 'part Hood, model Storm'],
  ['geo storm hood', 'make Geo, model Storm, part Hood'],
  ['rusty 1993 storm hood', 'year 1993, model Storm, part Hood, word rusty'],
  ['hood alaska', 'part Hood, model Alaska'],
  ['used colorado tailgate', 'model Colorado, part Tailgate'],
  ['fits in 2010 tahoe', 'year 2010, model Tahoe'],
  // Makes, models, years.
  ['chevy', 'make Chevrolet'],
  ['beemer', 'make BMW'],
  ['merc', 'make Mercedes-Benz or Mercury'],
  ['merc c300', 'make Mercedes-Benz, model C300, wish c300'],
  ['olds', 'make Oldsmobile'],
  ['02 elantra', 'year 2002, model Elantra'],
  ["'02 elantra", 'year 2002, model Elantra'],
  ['2008-2012 civic', 'year 2008–2012, model Civic'],
  ['08-12 civic', 'year 2008–2012, model Civic'],
  ['1998 to 2002 accord', 'year 1998–2002, model Accord'],
  ['2011 2012 2013 camry', 'year 2011–2013, model Camry'],
  ['f150', 'model F-150'],
  ['f-150', 'model F-150'],
  ['F 150 headlight', 'model F-150, part Headlamp Assembly'],
  ['crv', 'model CR-V'],
  ['cr-v', 'model CR-V'],
  ['bmw 3 series', 'make BMW, model 3 Series'],
  ['silverado 1500', 'model Silverado 1500'],
  ['chevy 2500', 'make Chevrolet, model 2500'],
  ['mercedes e350', 'make Mercedes-Benz, model E350, wish e350'],
  ['ford e350', 'make Ford, model E-350'],
  ['rx 350', 'model RX350, wish rx350'],
  ['vette hood', 'model Corvette, part Hood'],
  // Sizes.
  ['engine 5.3', 'part Engine Assembly, size 5.3L'],
  ['5.3L engine', 'size 5.3L, part Engine Assembly'],
  ['5.3 liter engine', 'size 5.3L, part Engine Assembly'],
  ['17 inch rim', 'size 17 inch, part Wheel'],
  ['17" wheel', 'size 17 inch, part Wheel'],
  ['rim 17', 'part Wheel, size 17 inch'],
  ['130 amp alternator', 'size 130 amp, part Alternator'],
  // The rest.
  ['27060-0V210', 'number 27060-0V210'],
  ['FK1Z 1955 B', 'number FK1Z 1955 B'],
  ['27060 0v210 alternator', 'number 27060 0V210, part Alternator'],
  ['used oem alternator for sale', 'part Alternator'],
  ['f150 xlt headlight', 'model F-150, part Headlamp Assembly, wish xlt'],
  ['camry tranny 4 cyl', 'model Camry, part Transmission, wish 4cyl'],
  ['6-cylinder engine', 'part Engine Assembly, wish 6cyl'],
  ['brake master cylinder 2004 cylinder head', 'part Master Cylinder, year 2004, part Cylinder Head'],
  ['alternator zebrawood', 'part Alternator, word zebrawood'],
])('“%s” is read as %s', (typed, expected) => {
  expect(told(typed)).toBe(expected)
})

test('a part is its category; words beside it narrow the categories', () => {
  expect(meaningOf('transmission').part?.ids).toEqual([
    'Automatic Transmission',
    'Manual Transmission',
    'CVT Transmission',
  ])
  expect(meaningOf('front left door').part?.ids).toEqual(['Front Door'])
  expect(meaningOf('driver seat')).toMatchObject({ part: { ids: ['Front Seat'] }, side: 'left' })
  expect(meaningOf('airbag driver').part?.ids).toEqual(['Steering Wheel Air Bag'])
})

test('a model is that of the named make, with its family behind it', () => {
  const models = (typed: string) => meaningOf(typed).vehicle?.models.map(({ exactIds }) => exactIds)
  expect(models('dodge ram 2500 door')).toEqual([['Dodge/Ram 2500'], []])
  expect(models('charger hood')).toEqual([['Dodge/Charger']])
  expect(models('e350 hood')).toEqual([['Ford/E-350 Super Duty'], []])
  expect(models('ram 1500')?.flat().toSorted()).toEqual(['Dodge/Ram 1500', 'Ram/1500'])
  const [f150] = meaningOf('ford f150').vehicle?.models ?? []
  expect(f150?.exactIds).toEqual(['Ford/F-150'])
  expect(f150?.ids).toContain('Ford/F-150 Lightning')
})

test('every trade word means something that is there', () => {
  const idsOf = (entries: readonly { id: string }[]) => new Set(entries.map(({ id }) => id.toLowerCase()))
  const known = {
    part: idsOf(names.categories),
    make: idsOf(names.manufacturers),
    model: idsOf(names.models),
  }
  for (const { kind, word, means } of tradeWords) {
    if (!(kind in known)) continue
    for (const meant of means.split(';')) {
      expect(
        known[kind as keyof typeof known].has(meant.trim().toLowerCase()),
        `${word} means ${meant}`,
      ).toBe(true)
    }
  }
  const keys = tradeWords.map(({ word }) => word.toLowerCase().replaceAll(/\s+/g, ''))
  expect(keys.filter((key, at) => keys.indexOf(key) !== at)).toEqual([])
  expect(tradeWords.length).toBeGreaterThan(900)
})

test('a letter behind a part number belongs to it', () => {
  expect(told('F4XZ 9E926 A')).toBe('number F4XZ 9E926 A')
  expect(told('2012 f150 F4XZ 9E926 B')).toContain('number F4XZ 9E926 B')
})

test.each([
  // One category for both ends: the word narrows it.
  ['front brake caliper', 'front'],
  ['rear shock', 'rear'],
  // The name of the category says it, so that its listings need not say it again.
  ['front bumper cover', undefined],
  ['rear door', undefined],
])('the end of %s that its listings must have', (typed, end) => {
  expect(meaningOf(typed).end).toBe(end)
})

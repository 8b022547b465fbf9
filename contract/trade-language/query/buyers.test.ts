import { expect, test } from 'vitest'
import { interpret } from '#contract/trade-language/interpret.ts'
import { testVocabulary as vocabulary } from '#tests/support/test-vocabulary.ts'

/* How buyers say what they do not want, list parts, name a generation, a size, years and a price. Ids are names. */

const sellers = new Map([['greencountrysalvage', { label: 'Green Country Salvage', id: 'green' }]])
const read = (typed: string) => interpret(typed, vocabulary, 'query', { sellers, year: 2026 }).read
const chips = (typed: string) => read(typed).recognized.map(({ kind, label }) => `${kind} ${label}`)

test.each([
  // Sizes, engines, years.
  [
    'wheels for f150 not 17',
    'without 17',
    { names: expect.arrayContaining(['17', '17in', '17inch', '17x75']) },
  ],
  ['wheels civic -17', 'without 17', { names: expect.arrayContaining(['17', '17in', '17inch', '17x75']) }],
  [
    'wheels f150 -18 inch',
    'without 18 inch',
    { names: expect.arrayContaining(['18', '18in', '18inch', '18x75']) },
  ],
  ['malibu engine but not 2.4', 'without 2.4', { names: ['24l', '24'] }],
  ['engine f150 not v8', 'without v8', { names: ['v8'] }],
  ['engine f150 no v8', 'without v8', { names: ['v8'] }],
  ['camry alternator excluding 160a', 'without 160a', { names: ['160a', '160amp', '160'] }],
  ['starter altima -2013', 'without 2013', { years: [{ from: 2013, to: 2013 }] }],
  // Sides and ends.
  ['door 2014 fusion -rear', 'without rear', { places: [['rear']] }],
  ['headlight camry not left', 'without left', { places: [['left']] }],
  ['strut altima without front left', 'without front left', { places: [['front', 'left']] }],
  ['tail light not left or right', 'without left or right', { places: [['left'], ['right']] }],
  // Colors and other words of a name.
  ['accord hood -black', 'without black', { names: ['black'] }],
  ['camry hood 2008 other than gold', 'without gold', { names: ['gold'] }],
  ['camry hood anything but gold', 'without gold', { names: ['gold'] }],
  ['bumper caravan -"dark blue"', 'without dark blue', { names: ['dark blue'] }],
  ['hood civic not dark blue or gold', 'without dark blue or gold', { names: ['dark blue', 'gold'] }],
  ['transmission equinox not awd', 'without awd', { names: ['awd'] }],
  ['oxygen sensor altima w/o downstream', 'without downstream', { names: ['downstream'] }],
  ['headlight not the black one', 'without black', { names: ['black'] }],
  ['tacoma transmission -4x4', 'without 4x4', { names: ['4x4', '4wd'] }],
  ['transmission not auto', 'without auto', { names: ['auto', 'automatic'] }],
  ['hood without hood scoop', 'without hood scoop', { names: ['hood scoop'], partIds: [] }],
  ['door -honda', 'without honda', { makeIds: ['Honda'] }],
  ['bumper without sensor', 'without sensor', { names: ['sensor'] }],
  // A trim, also one that is a filler word of another language; a body that is also a model's name.
  ['camry door -le', 'without le', { names: ['le'] }],
  ['camry -se hood', 'without se', { names: ['se'] }],
  ['hood civic not si', 'without si', { names: ['si'] }],
  ['door not coupe', 'without coupe', { names: ['coupe'] }],
  ['headlight not aftermarket', 'without aftermarket', { names: ['aftermarket'] }],
  // However it is said.
  ['hood that is not off a honda', 'without honda', { makeIds: ['Honda'] }],
  ["hood that isn't off a honda", 'without honda', { makeIds: ['Honda'] }],
  ['hood –honda', 'without honda', { makeIds: ['Honda'] }],
  ['hood !honda', 'without honda', { makeIds: ['Honda'] }],
  ['hood avoid honda', 'without honda', { makeIds: ['Honda'] }],
  ['hood never honda', 'without honda', { makeIds: ['Honda'] }],
  ["hood don't want honda", 'without honda', { makeIds: ['Honda'] }],
  ['hood but not interested in a honda', 'without honda', { makeIds: ['Honda'] }],
  ["mirror that doesn't have heat", 'without heat', { names: ['heat'] }],
  ['cofre que no sea honda', 'without honda', { makeIds: ['Honda'] }],
  // What it names ends where the part begins.
  ['without sensor bumper 2008 camry', 'without sensor', { names: ['sensor'] }],
  // One of several cars that are one model.
  ['es hood not es350', 'without es350', { names: ['es350'], modelIds: [] }],
  // Sellers, part numbers.
  ['hood not from Green Country Salvage', 'without green country salvage', { sellerIds: ['green'] }],
  ['hood -green country salvage', 'without green country salvage', { sellerIds: ['green'] }],
  ['alternator not 27060-0V210', 'without 27060-0v210', { names: [], numbers: ['27060-0v210'] }],
  // A generation that nobody counts must not be named.
  ['camry hood not 15th gen', 'without 15th gen', { names: ['15th gen'], generations: [] }],
])('“%s” is %s', (typed, label, excluded) => {
  const found = read(typed)
  expect(chips(typed).filter((chip) => chip.startsWith('without'))).toEqual([`without ${label}`])
  expect(found.excluded).toMatchObject(excluded)
  expect([found.sizes, found.years, found.side, found.end, found.words]).toEqual([
    [],
    /2008|2014/.test(typed) ? expect.anything() : undefined,
    undefined,
    undefined,
    [],
  ])
})

test.each([
  ['civic hood not 8th gen', '8th gen', ['Honda/Civic', 2006, 2011]],
  ['civic hood except gen 8', 'gen 8', ['Honda/Civic', 2006, 2011]],
  ['golf hood except mk7', 'mk7', ['Volkswagen/Golf', 2015, 2021]],
  ['golf hood -mk7', 'mk7', ['Volkswagen/Golf', 2015, 2021]],
  ['bmw 3 series headlight without e90', 'e90', ['BMW/3 Series', 2006, 2013]],
])('“%s” excludes the generation %s', (typed, label, [model, from, to]) => {
  const { excluded, vehicle, years } = read(typed)
  expect(chips(typed)).toContain(`without without ${label}`)
  expect(excluded.generations).toContainEqual({
    modelIds: expect.arrayContaining([model]),
    years: { from, to },
  })
  expect([excluded.modelIds, excluded.names, years]).toEqual([[], [], undefined])
  expect(vehicle?.models[0]?.exactIds).toEqual([model])
})

test('a generation that nobody counts has to be in the listing', () => {
  expect([read('camry hood 15th gen').words, chips('camry hood 15th gen')]).toEqual([
    [['15th gen']],
    ['model Camry', 'part Hood'],
  ])
})

test.each([
  'windshield not cracked',
  'door no rust f150',
  'camry hood no dents or scratches',
  'F-150 door',
  'x-trail door',
  'part no 27060-0V210',
  'rav-4 hood',
  'i don’t have a jack for my civic',
  'not cracked windshield',
  'i never got a hood for my civic',
  'my civic isn’t starting, need a starter',
  'hood – honda civic',
  '2008 – 2012 civic hood',
  '2008 -2012 civic hood',
  'not sure if this fits 2012 civic door',
])('“%s” excludes nothing', (typed) => {
  expect(chips(typed).filter((chip) => chip.startsWith('without'))).toEqual([])
  expect(Object.values(read(typed).excluded).flat()).toEqual([])
})

test('what is excluded by its end or by name is none of the part types', () => {
  expect(read('f150 bumper not rear').part?.ids).toEqual(['Front Bumper Assembly', 'Front Bumper Cover'])
  expect(read('door fusion not front').part?.ids).not.toContain('Front Door')
  expect(read('mirror not tow mirror').part?.ids).toEqual(['Door Mirror'])
})

test.each([
  ['headlight, hood and grille 2014 equinox', 'Headlamp Assembly/Hood/Grille'],
  ['headlight hood grille for 2014 equinox', 'Headlamp Assembly/Hood/Grille'],
  ['hood, headlight and fender', 'Hood/Headlamp Assembly/Fender'],
  ['hood/fender/headlight', 'Hood/Fender/Headlamp Assembly'],
  ['radiator alternator 2010 camry', 'Radiator/Alternator'],
  ['starter, alternator + radiator', 'Starter Motor/Alternator/Radiator'],
  ['tail light headlight grille 2014 altima', 'Tail Lamp Assembly/Headlamp Assembly/Grille'],
  ['fender door camry', 'Fender/Front Door/Rear Door/Sliding Door'],
  ['front bumper 2012 camry grille', 'Front Bumper Assembly/Front Bumper Cover/Grille'],
  ['rear window regulator', 'Window Regulator'],
  // One part.
  ['radiator fan shroud', 'Fan Shroud'],
  ['door mirror switch', 'Mirror Switch'],
  ['bumper bracket', 'Bumper Bracket'],
  // Together, though other words are between.
  ['window is stuck and i need the motor', 'Window Regulator'],
  ['switch for my headlight', 'Headlight Switch'],
  ['handle for the rear door', 'Outside Door Handle/Inside Door Handle'],
])('the parts of “%s” are %s', (typed, ids) => {
  expect(read(typed).part?.ids.join('/')).toBe(ids)
})

test.each([
  ['starter relay camry', 'starter relay', ['Starter Motor']],
  ['fuel pump relay silverado', 'fuel pump relay', ['Fuel Pump']],
  ['starter solenoid camry', 'starter solenoid', ['Starter Motor']],
  ['handle for tailgate tacoma', 'tailgate handle', ['Tailgate']],
  ['engine block heater taurus', 'engine block heater', ['Engine Block']],
  ['seat heater f150', 'seat heater', expect.arrayContaining(['Front Seat'])],
  ['oil filter f150', 'oil filter', []],
  // The last word of several types, of none of which it is the name.
  ['knock sensor camry', 'knock sensor', []],
  ['2012 civic rain sensor', 'rain sensor', []],
  ['gas cap f150', 'gas cap', []],
  ['fuel cap civic', 'fuel cap', []],
  ['cruise control switch altima', 'cruise control switch', []],
  ['engine knock sensor camry', 'knock sensor', []],
  ['shift boot wrx', 'shift boot', []],
  ['height sensor camry', 'height sensor', []],
  ['air filter civic', 'air filter', []],
  ['power steering hose camry', 'power steering hose', []],
  ['cv boot civic', 'cv boot', ['CV Axle']],
  ['rear diff cover f150', 'rear diff cover', ['Differential']],
  ['hood insulator camry', 'hood insulator', ['Hood']],
])('“%s” is a piece: %s', (typed, words, of) => {
  const { part, piece, vehicle } = read(typed)
  expect(part).toBeUndefined()
  expect([piece?.words.join(' '), piece?.of]).toEqual([words, of])
  expect(vehicle?.makes).not.toContain('Saturn')
})

test.each([
  ['black switch camry', [['black']]],
  ['lower dashboard camry', [['lower']]],
  ['sensor camry', []],
  ['2012 civic body parts', []],
  ['camry body', []],
  ['lucid air door', []],
])('“%s” is of parts that we know, and %j', (typed, words) => {
  expect([read(typed).piece, read(typed).words]).toEqual([undefined, words])
  expect(read(typed).part?.ids ?? []).not.toContain('Throttle Body')
})

test('a strut of a hood is no other gas strut, and a set no Brake Pad Set', () => {
  expect(read('hood strut civic')).toMatchObject({
    part: { ids: ['Gas Strut'] },
    nameWords: [['hood', 'bonnet']],
  })
  expect(chips('set of 4 rims for 2010 civic')).toEqual(['part Wheel', 'year 2010', 'model Civic'])
  expect(read('saturn relay hood').vehicle?.models.map(({ label }) => label)).toEqual(['Relay'])
})

test.each([
  ['front strut rav4', 'front'],
  ['rear shocks', 'rear'],
  ['left front cv axle', 'front'],
  ['front axles corolla', 'front'],
  ['rear window regulator camry', 'rear'],
])('“%s” is %s', (typed, end) => {
  expect(read(typed).end).toBe(end)
})

test.each([
  // A code alone means its own models with their years, each of its own.
  ['e90 headlight', ['3 Series 2006-2013', 'M3 2008-2013', 'Corolla 1988-1992']],
  // Beside a make or a model, those of it.
  ['e90 3 series headlight', ['3 Series 2006-2013']],
  ['corolla e90 headlight', ['Corolla 1988-1992']],
  ['bmw e90 headlight', ['3 Series 2006-2013', 'M3 2008-2013']],
  ['gmt900 tahoe tail light', ['Tahoe 2007-2014']],
  ['gmt900 silverado 1500 cluster', ['Silverado 1500 2007-2013']],
  ['b8 a4 radiator', ['A4 2009-2016']],
  // Years that are said choose, and bind in its place.
  ['2010 e90 headlight', ['3 Series', 'M3']],
])('the models of “%s” are %j', (typed, models) => {
  const { vehicle } = read(typed)
  const labels = vehicle?.models.map(({ label, generation }) =>
    generation ? `${label} ${generation.years.from}-${generation.years.to}` : label,
  )
  expect(labels?.slice(0, models.length)).toEqual(models)
  expect(vehicle?.makeIds).toHaveLength(new Set(vehicle?.models.map(({ makeId }) => makeId)).size)
})

test.each([
  ['205 55 16', '205/55R16'],
  ['tire 205 55 r16', '205/55R16'],
  ['275-55-20 tires', '275/55R20'],
  ['275/55-20', '275/55R20'],
  ['P235-75-15 tire', '235/75R15'],
  ['LT245/75 R16', '245/75R16'],
  ['195x65x15 tire', '195/65R15'],
  ['2256517 tire', '225/65R17'],
  ['205/55zr16', '205/55R16'],
])('“%s” is the tire size %s', (typed, size) => {
  expect(chips(typed).filter((chip) => !chip.startsWith('part'))).toEqual([`size ${size}`])
})

test('digits in a row are a part number, if nothing says that they are of a tire', () => {
  expect(chips('2256517')).toEqual(['number 2256517'])
})

test.each([
  ['tacoma radiator after 2015', '2016-2026'],
  ['civic hood newer than 2012', '2013-2026'],
  ['civic hood since 2012', '2012-2026'],
  ['f150 grille from 2015', '2015-2026'],
  ['f150 door 2015 or newer', '2015-2026'],
  ['civic hood not older than 2012', '2012-2026'],
  ['civic door before 2009', '1940-2008'],
  ['older than 2010 civic door', '1940-2009'],
  ['camry hood prior to 2010', '1940-2009'],
  ['pre 2008 corolla headlight', '1940-2007'],
  ['pre-2008 corolla headlight', '1940-2007'],
  ['corolla hood up to 2012', '1940-2012'],
  ['camry hood until 2011', '1940-2011'],
  ['accord engine 2007 and older', '1940-2007'],
  ['between 2008 and 2011 malibu fender', '2008-2011'],
  ['malibu fender from 2008 to 2011', '2008-2011'],
  ['early 2000s corolla headlight', '2000-2003'],
  ['mid-2000s corolla headlight', '2004-2006'],
  ["late 90's civic door", '1997-1999'],
  ['2k8 civic door', '2008-2008'],
  ['2k12 camry', '2012-2012'],
  ['2012.5 camry mirror', '2012-2012'],
  // No direction.
  ['alternator from 2015 camry', '2015-2015'],
  ['alternator from a 2015 camry', '2015-2015'],
])('the years of “%s” are %s', (typed, years) => {
  const found = read(typed)
  expect(`${found.years?.from}-${found.years?.to}`).toBe(years)
  expect([found.words, found.numbers, found.excluded.years]).toEqual([[], [], []])
})

test('a range without a first year is labeled as people say it', () => {
  expect(chips('civic before 2009')).toContain('year 2008 and older')
})

test.each([
  ['civic door under $100', { max: 100 }],
  ['civic door under 100', { max: 100 }],
  ['civic door <60', { max: 60 }],
  ['civic door < $60', { max: 60 }],
  ['engine accord max 800', { max: 800 }],
  ['camry alternator budget 150', { max: 150 }],
  ['camry alternator my budget is $1,150', { max: 1150 }],
  ['camry alternator $100 or less', { max: 100 }],
  ['civic mirror $50-$80', { min: 50, max: 80 }],
  ['civic mirror between $50 and $80', { min: 50, max: 80 }],
  ['civic mirror 50 to 80 dollars', { min: 50, max: 80 }],
  ['civic mirror around $80', { min: 60, max: 100 }],
  ['civic engine over 500', { min: 500 }],
  ['civic engine from $500', { min: 500 }],
  // Measured, or a year.
  ['engine under 100k miles', undefined],
  ['engine under 90000 miles', undefined],
  ['civic door up to 2012', undefined],
  ['wheels over 17 inch', undefined],
])('the price of “%s” is %j', (typed, price) => {
  expect(read(typed).price).toEqual(price)
})

test.each([
  "I'm after a good used alternator for my wife's 2012 camry",
  'my alternator just died on my 2011 corolla, need one asap',
  'trying to track down a front bumper cover for a 2016 civic',
  'I hit a deer and need a hood and a grille for 2016 ram 1500',
  "fixing up my son's first car, a 2009 civic, needs a rear bumper",
  "car won't start, think i need a starter for 2013 altima",
  "have y'all got any 2011 sierra bumpers in stock right now",
  'insurance totaled it but i still need a fender 2013 elantra',
  'raccoon ripped out the grille of my 2016 rogue',
  'want to replace the broken mirror of my 2010 odyssey',
])('“%s” asks for no other words', (typed) => {
  const { words, side, part, piece } = read(typed)
  expect([words, side, piece]).toEqual([[], undefined, undefined])
  expect(part?.ids).not.toContain('Seat Track')
})

test('words that may describe a part, and all of a search without one, have to be in the listing', () => {
  expect(read('gold hood camry').words).toEqual([['gold']])
  expect(read('just need the lens for a camry tail light').words).toEqual([['lens']])
  expect(read('need one left mirror for a camry').side).toBe('left')
  expect(read('my wife broke her camry').words).toEqual([['wife'], ['broke']])
})

test('who is parting out a car has all of its parts', () => {
  for (const typed of ['anyone parting out a 2012 chevy malibu', 'parting out 2012 malibu']) {
    expect([typed, read(typed).words, read(typed).part]).toEqual([typed, [], undefined])
  }
})

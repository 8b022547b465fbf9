import { expect, test } from 'vitest'
import { nameKey } from '#contract/trade-language/names.ts'
import { testVocabulary as vocabulary } from '#tests/support/test-vocabulary.ts'
import { readQuery } from './query.ts'
import { splitWords } from './split-words.ts'

/* What strangers to the program typed, and what it must take it for. Ids are names. */

const read = (typed: string) =>
  readQuery(splitWords(typed), vocabulary, { sellers: new Map(), year: 2026, sellerKey: nameKey })
const chips = (typed: string) => read(typed).recognized.map(({ kind, label }) => `${kind} ${label}`)

test.each([
  // A name too short to be a model by itself is one beside its year, or beside another model.
  ['power seat switch 2012 300', ['part Seat Switch', 'year 2012', 'model 300']],
  ['propshaft x5 2009', ['part Driveshaft', 'model X5', 'year 2009']],
  ['magnum or charger or 300 wheels 2006', expect.arrayContaining(['model Magnum', 'model 300'])],
  ['2012 camry 300 hood', ['year 2012', 'model Camry', 'part Hood']],
  ['82 x5 hood', ['year 1982', 'part Hood']],
  ['what is 2012 hood', ['year 2012', 'part Hood']],
  ['does this fit 2012 mirror', ['year 2012', 'part Mirror']],
  ['2010 vibe 2009 hood', ['year 2010', 'model Vibe', 'year 2009', 'part Hood']],
  // A name with an engine's number, of a make that calls the family by its letters alone.
  ['2018 mercedes-benz glc300 mirror', expect.arrayContaining(['model GLC300'])],
  // A number on either side of its model's name.
  ['1500 sierra hood', ['model 1500', 'model Sierra', 'part Hood']],
  // An engine's liters are no 1/4 panel, and gallons no year.
  ['1.4 turbo cruze', ['size 1.4L', 'part Turbocharger', 'model Cruze']],
  ['fuel tank 2010 f150 26 gallon', ['part Fuel Tank', 'year 2010', 'model F-150']],
  // A number beside a word that nobody knows.
  ['hollander 110-01234', ['number 110-01234']],
  // A price is no model, whatever else its number means.
  ['chrysler 300 hood under 300', ['make Chrysler', 'model 300', 'part Hood', 'price Up to $300']],
  // Beside a wheel in any language, a number is its size.
  ['rines 17 mazda 3 2014', ['part Wheel', 'size 17 inch', 'model MAZDA3', 'year 2014']],
  ['jantes 18 golf', ['part Wheel', 'size 18 inch', 'model Golf']],
  // An engine's name, which is its maker's.
  ['6.0 powerstroke turbo', ['size 6.0L', 'size engine Powerstroke', 'part Turbocharger']],
  // A code alone is the part that has it.
  ['4l60e', ['size transmission 4L60E']],
  ['np231 t case jeep', ['size transfer case NP231', 'part Transfer Case', 'make Jeep']],
  // A bed's feet and a gearbox's speeds are no liters and no year.
  ['silverado bed 6.5 ft 2015', ['model Silverado', 'part Truck Bed', 'size 6.5 ft', 'year 2015']],
  ['5 speed gearbox mustang', ['size 5-speed', 'part Transmission', 'model Mustang']],
  ['2.0t throttle body', ['size 2.0L', 'part Throttle Body']],
  // Thirty models have this platform.
  ['gmt800 dash', [expect.stringMatching(/^model Escalade .*, .* or \d+ more$/), 'part Dashboard']],
  // Several of a model with a number.
  ['g37s bumper', ['model G37', 'part Bumper']],
  ['2008 g37s door', ['year 2008', 'model G37', 'part Door']],
  // The letters of a name are no side.
  ['type r hood', ['part Hood']],
  ['ls swap engine', ['part Engine Assembly']],
  ['civic ls door', ['model Civic', 'side Left', 'part Door']],
  // Sides in British, French and Spanish.
  ['espejo lado chofer', ['part Door Mirror', 'side Left']],
  ['espejo del lado del chofer civic', ['part Door Mirror', 'side Left', 'model Civic']],
  ['nearside headlamp golf', ['side Left', 'part Headlamp Assembly', 'model Golf']],
  ['o/s mirror a4 2012', ['side Right', 'part Mirror', 'model A4', 'year 2012']],
  ['miroir côté passager f-150', ['part Mirror', 'side Right', 'model F-150']],
  ['portière arrière droite corolla', ['part Rear Door', 'side Right', 'model Corolla']],
  // Numbers as a phone writes them.
  [
    'passenger front door two thousand twelve corolla',
    ['side Front right', 'part Door', 'year 2012', 'model Corolla'],
  ],
  ['f one fifty tailgate twenty fifteen', ['model F-150', 'part Tailgate', 'year 2015']],
  ['nineteen ninety eight accord hood', ['year 1998', 'model Accord', 'part Hood']],
  ['hood two thousand and seven altima', ['part Hood', 'year 2007', 'model Altima']],
  ['oh eight impala hood', ['year 2008', 'model Impala', 'part Hood']],
  ['five point three engine tahoe', ['size 5.3L', 'part Engine Assembly', 'model Tahoe']],
  ['silverado fifteen hundred hood', ['model Silverado 1500', 'part Hood']],
  // The doors of the car are not for sale.
  ['door for a four door civic', ['part Door', 'model Civic']],
  ['civic 4 door door handle', ['model Civic', 'part Door Handle']],
  // Names that are words for parts elsewhere.
  ['leaf front bumper 2013', ['model LEAF', 'part Front Bumper', 'year 2013']],
  ['leaf spring silverado', ['part Leaf Spring', 'model Silverado']],
  ['jeep wrangler hard top', ['make Jeep', 'model Wrangler', 'part Convertible Top']],
  ['mini hardtop mirror', ['make MINI', 'model Hardtop', 'part Mirror']],
  ['flex fuel sensor silverado', ['part Flex fuel sensor', 'model Silverado']],
  ['flex liftgate', ['model Flex', 'part Liftgate']],
  ['chevy cruise radiator', ['make Chevrolet', 'model Cruze', 'part Radiator']],
  ['chevy cruise control module', ['make Chevrolet', 'part Cruise control module']],
  // Generations whose codes are short, or another make's model.
  ['xj cherokee hood', ['model Cherokee (XJ, 1984–2001)', 'model Cherokee', 'part Hood']],
  ['jaguar xj hood', ['make Jaguar', 'model XJ', 'part Hood']],
  ['tj fenders', ['model Wrangler (TJ, 1997–2006)', 'part Fender']],
  ['fourth gen ram fender', ['year generation 4', 'make Ram', 'part Fender']],
  // A number is inches beside a wheel, not beside any cover; feet beside a bed; and gears beside an axle.
  ['frt bpr cvr 17 civic', ['part Front Bumper Cover', 'year 2017', 'model Civic']],
  ['steering wheel cover 16 rogue', ['part Steering wheel cover', 'year 2016', 'model Rogue']],
  ['16 valve cover civic', ['year 2016', 'part Valve Cover', 'model Civic']],
  ['24 valve cummins engine', ['size 24-valve', 'size engine Cummins', 'part Engine Assembly']],
  ['6.5 bed silverado', ['size 6.5 ft', 'part Truck Bed', 'model Silverado']],
  ['rear axle 8.8 3.73 f150', ['part Rear Axle Assembly', 'size 8.8 inch', 'size 3.73 ratio', 'model F-150']],
  ['6.0 rear axle f350', ['size 6.0L', 'part Rear Axle Assembly', 'model F-350']],
  ['dana 44 front axle', ['part Front Axle Assembly']],
  [
    'engine between 500 and 1000 civic',
    ['part Engine Assembly', 'price From $500', 'price Up to $1000', 'model Civic'],
  ],
  ['accord between 98 and 02 hood', ['model Accord', 'year 1998–2002', 'part Hood']],
  ['03up 4runner hood', ['year 2003–2026', 'model 4Runner', 'part Hood']],
  ["explorers' mirror", ['model Explorer', 'part Mirror']],
  ['h/lamp l/h sonata', ['part Headlamp Assembly', 'side Left', 'model Sonata']],
  ['gas tank door sonata', ['part Fuel Door', 'model Sonata']],
  ['luz de atras sentra', ['part Tail Lamp Assembly', 'model Sentra']],
  ['el bumper de adelante del focus', ['part Bumper', 'side Front', 'model Focus']],
])('“%s” is understood', (typed, expected) => {
  expect(chips(typed)).toEqual(expected)
})

test.each([
  ['2500 chevy silverado hood', /^Chevrolet\/Silverado .*2500/],
  ['1500 sierra hood', /^GMC\/Sierra .*1500/],
])('“%s” is none of the family’s other models', (typed, meant) => {
  const ids = read(typed).vehicle?.models.flatMap((model) => model.ids) ?? []
  expect(ids.length).toBeGreaterThan(0)
  expect(ids.filter((id) => !meant.test(id))).toEqual([])
})

test('another number behind "or" is a model of the same make', () => {
  const { vehicle } = read('silverado 1500 or 2500 hood')
  expect([vehicle?.makes, vehicle?.models.map(({ label }) => label)]).toEqual([
    ['Chevrolet'],
    ['Silverado 1500', '2500'],
  ])
})

test.each([
  ['tail gate tacoma with camera', 'Tailgate', ['camera']],
  ['steering wheel with airbag corolla', 'Steering Wheel', ['airbag']],
  ['hood with hinges and latch camry', 'Hood', ['hinges', 'latch']],
  // Nothing of a list, and no part behind "with".
  ['hood and latch camry', 'Hood/Door Lock Actuator', []],
  ['someone with a hood and a fender', 'Hood/Fender', []],
  ['radio with bluetooth civic', 'Radio', []],
])('“%s” asks for a %s, and likes what it comes with', (typed, ids, wishes) => {
  expect([read(typed).part?.ids.join('/'), read(typed).wishes]).toEqual([ids, wishes])
})

test('a word of a phrase in another language is no typo', () => {
  expect(['pare', 'antibrouillard'].every((word) => vocabulary.isWord(word))).toBe(true)
  expect(chips('pare choc arriere civic')).toEqual(['part Rear Bumper', 'model Civic'])
})

test.each([
  ['ls1', 'Engine Assembly'],
  ['6l80', 'Automatic Transmission'],
  ['tr6060', 'Manual Transmission'],
  ['np246', 'Transfer Case'],
  ['4l60e starter', 'Starter Motor'],
  ['ls1 xyzzy', undefined],
])('“%s” asks for this part', (typed, part) => {
  expect(read(typed).part?.label).toBe(part)
})

test('a code narrows the part that was named', () => {
  expect(read('4l60e transmission').part?.ids).toEqual(['Automatic Transmission'])
  expect(read('4l60e starter').part?.ids).toEqual(['Starter Motor'])
})

test('a trim alone must be found; beside a part it decides the order', () => {
  expect([read('hemi').words, read('hemi').wishes]).toEqual([[['hemi']], []])
  expect([read('2dr hemi hood').words, read('2 door hood').wishes]).toEqual([[], ['2dr']])
  expect(read('accord door not 4 door').excluded.names).toEqual(['4 door', '4dr'])
})

test('the makers of an engine are the vehicle if no other was named', () => {
  expect(read('coyote 5.0 engine').vehicle?.makes).toEqual(['Ford'])
  expect(read('2015 chevy coyote swap engine').vehicle?.makes).toEqual(['Chevrolet'])
  // A code is no vehicle.
  expect(read('2jz engine').vehicle).toBeUndefined()
})

test('the generations of a model are those of its kinds', () => {
  expect(read('8th gen civic si seats')).toMatchObject({ years: { from: 2006, to: 2011 }, words: [] })
})

test('a driver’s part is on the left, in any order of the words', () => {
  expect(read('window switch driver 2013 f150').side).toBe('left')
  expect(read('driver window switch').side).toBe('left')
  // The air bags of both are types of their own.
  expect(read('driver airbag fusion').side).toBeUndefined()
})

test.each([
  ['bumper absorber civic', ['Bumper Energy Absorber']],
  ['fuse box under hood impala', ['Fuse Box']],
  ['running boards crew cab sierra', ['Running Board']],
  ['back glass slider silverado', ['Back Glass']],
  ['quarter window glass explorer', ['Quarter Glass']],
])('“%s” is one part', (typed, ids) => {
  expect(read(typed).part?.ids).toEqual(ids)
})

test.each([
  ['6 speed manual trans wrangler', ['Manual Transmission'], ['part Manual Transmission', 'model Wrangler']],
  ['door front door civic', ['Front Door'], ['part Front Door', 'model Civic']],
])('“%s” says one part twice', (typed, ids, expected) => {
  expect([read(typed).part?.ids, chips(typed)]).toEqual([ids, expected])
})

test.each([
  ['21 maxima driver door handle', 'Outside Door Handle/Inside Door Handle', 'left'],
  ['passenger door glass camry', 'Door Glass', 'right'],
  ['driver seat belt camry', 'Seat Belt', 'left'],
  ['drivers door mirror f250', 'Door Mirror', 'left'],
  ['passenger door window camry', 'Door Glass', 'right'],
  ['passenger seat switch camry', 'Seat Switch', 'right'],
])('“%s” is a part of that side', (typed, ids, side) => {
  expect([read(typed).part?.ids.join('/'), read(typed).side, read(typed).piece]).toEqual([
    ids,
    side,
    undefined,
  ])
})

test.each([
  ['brake light switch accord', 'brake light switch', ['Tail Lamp Assembly']],
  ['cooler line transmission impala', 'transmission cooler line', ['Transmission Cooler']],
  ['moonroof glass altima', 'moonroof glass', ['Sunroof Assembly']],
])('“%s” is a piece: %s', (typed, words, of) => {
  expect(read(typed)).toMatchObject({ part: undefined, piece: { of } })
  expect(read(typed).piece?.words.join(' ')).toBe(words)
})

test('a piece has the other names of its larger part, too', () => {
  expect(read('moonroof glass').piece?.texts).toEqual(
    expect.arrayContaining(['moonroof glass', 'sunroof glass', 'panoramic roof glass']),
  )
  expect(read('e-brake cable').piece?.texts).toContain('parking brake cable')
})

test.each([
  ['non-turbo engine sonata', 'turbo'],
  ['Non-Heated mirror camry', 'heated'],
  ['catalytic converter prius no aftermarket', 'aftermarket'],
])('“%s” excludes %s', (typed, name) => {
  expect(read(typed).excluded.names).toEqual([name])
})

test.each(['windshield non-cracked', 'camry hood nonna', 'no used hood'])(
  '“%s” excludes nothing',
  (typed) => {
    expect(read(typed).excluded.names).toEqual([])
  },
)

test.each([
  'either left or right 2012 civic',
  'everything for a 2012 civic',
  'stuff for a civic',
  'wondering if you have anything for 2012 civic',
  'honestly i just need a 2012 civic',
  'my daughters 2012 civic door',
  'my dads 2012 civic door',
])('“%s” requires no filler', (typed) => {
  expect(read(typed).words).toEqual([])
})

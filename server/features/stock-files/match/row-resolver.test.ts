import { expect, test } from 'vitest'
import { openVocabulary } from '#contract/trade-language/vocabulary.ts'
import { language } from '#server/features/finding/vocabulary/built-in.ts'
import { LEAVE_OUT, NameAnswers } from '#server/features/market/lookups/name-answers.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { testVocabulary, builtInWords as words } from '#tests/support/test-vocabulary.ts'
import { type DeskFile, RowResolver, type SellersFile } from './row-resolver.ts'

const name = (id: string, confirmed = true, aliases: string[] = []) => ({ id, name: id, aliases, confirmed })
const model = (manufacturerId: string, id: string, confirmed = true) => ({
  ...name(id, confirmed),
  manufacturerId,
  years: [[2000, 2012]] as [number, number][],
})
const besides = {
  f150regularcab: { bodyStyle: 'Regular Cab' },
  f150supercrewcab: { bodyStyle: 'SuperCrew Cab' },
}
const f150 = {
  ...model('Ford', 'F-150'),
  aliases: ['F150 Regular Cab', 'F150 SuperCrew Cab'],
  beside: besides,
}

const resolver = (file: SellersFile | DeskFile = { isEdited: false }) =>
  new RowResolver(
    {
      decisions: new NameAnswers([]),
      ...openVocabulary({
        words,
        language,
        catalog: {
          categories: [name('Alternator'), name('Front Door'), name('Rear Door'), name('Altenator', false)],
          manufacturers: [
            name('Ford'),
            name('BMW'),
            name('Mercury'),
            name('Mercedes-Benz'),
            name('MINI'),
            name('Dodge'),
            name('Ram'),
            name('Frod', false),
            name('Zastava', false),
          ],
          models: [
            model('Ford', 'Focus'),
            f150,
            model('Ford', 'Ranger Regular Cab'),
            model('Ford', 'Ranger Super Cab'),
            { ...model('BMW', '3 Series'), aliases: ['328i'], beside: { '328i': { trim: '328i' } } },
            model('Mercury', 'Grand Marquis'),
            model('Mercedes-Benz', 'C-Class'),
            model('MINI', 'Cooper'),
            model('Dodge', 'Ram 1500 Quad Cab'),
            model('Zastava', 'Yugo', false),
          ],
        },
      }),
    },
    file,
  )

const part = (partmanu: string, partmodel: string, more: Fields = {}): Fields => ({
  partcategory: 'Alternator',
  partmanu,
  partmodel,
  partyear: '2010',
  ...more,
})

const resolve = (rows: RowResolver, fields: Fields) => rows.resolve((field) => fields[field])

test.each<[what: string, before: Fields, after: Fields | undefined]>([
  ['names that are already right', part('Ford', 'Focus'), undefined],
  ['different letter case', part('FORD', ' focus'), part('Ford', 'Focus')],
  ['a make beside its model', part('', 'Ford Focus'), part('Ford', 'Focus')],
  ['a model that only one make has', part('N/A', 'Grand Marquis'), part('Mercury', 'Grand Marquis')],
  [
    'an abbreviation that the model explains',
    part('Merc', 'C300'),
    part('Mercedes-Benz', 'C-Class', { parttrim: 'C300' }),
  ],
  ['a model in the column of makes', part('Mini Cooper', ''), part('MINI', 'Cooper')],
  ['a model that starts in the column of makes', part('Dodge Ram', '1500'), part('Dodge', 'Ram 1500')],
  ['a trim beside the model', part('Ford', 'Focus SE'), part('Ford', 'Focus', { parttrim: 'SE' })],
  [
    'a trim field that is filled',
    part('Ford', 'Focus SE', { parttrim: 'ZX3' }),
    part('Ford', 'Focus', { parttrim: 'ZX3' }),
  ],
  ['another spelling', part('Ford', 'F 150'), part('Ford', 'F-150')],
  ['a short word', part('Mercury', 'GR MARQUIS'), part('Mercury', 'Grand Marquis')],
  ['the words of a model in reverse order', part('Dodge', '1500 Ram'), part('Dodge', 'Ram 1500')],
  [
    'a former name with its cab',
    part('Ford', 'F150 Regular Cab'),
    part('Ford', 'F-150', { bodystyle: 'Regular Cab' }),
  ],
  ['its short form', part('Ford', 'f150 supercrew'), part('Ford', 'F-150', { bodystyle: 'SuperCrew Cab' })],
  [
    'a cab and a trim beside the model',
    part('Ford', 'F-150 XLT EXT CAB Long Bed'),
    part('Ford', 'F-150', { parttrim: 'XLT', bodystyle: 'Extended Cab, Long Bed' }),
  ],
  [
    'a body style field that is filled',
    part('Ford', 'F150 Regular Cab', { bodystyle: 'Flatbed' }),
    part('Ford', 'F-150', { bodystyle: 'Flatbed' }),
  ],
  ['a more specific name', part('BMW', '328i'), part('BMW', '3 Series', { parttrim: '328i' })],
  [
    'a typo that an earlier file created as a name',
    part('Frod', 'Focus', { partcategory: 'Altenator' }),
    part('Ford', 'Focus'),
  ],
  ['a provisional name', part('ZASTAVA', 'yugo'), part('Zastava', 'Yugo')],
  ['a name that could be one of several', part('Merc', 'Odd', { partcategory: 'Door' }), undefined],
  ['a model of another make', part('Ford', 'Mercury Grand Marquis'), undefined],
  ['a mistyped model of another year', part('Ford', 'Focsu', { partyear: '1975' }), undefined],
  [
    'a mistyped model with a year range that includes its own',
    part('Ford', 'Focsu', { partyear: '1995-2001' }),
    part('Ford', 'Focus', { partyear: '1995-2001' }),
  ],
  ['numbers instead of text', part('Ford', 'Focus', { partyear: 2010, partprice: 5 }), undefined],
  ['an empty row', {}, undefined],
])('%s', (_, before, after) => {
  const changes = resolve(resolver(), before)
  expect(changes && { ...before, ...changes }).toEqual(after)
})

const sellersFile = { answers: new NameAnswers([]), isAgain: false, namesListings: false }

test.each(['Computers', 'Door', 'Altenator', 'Fortuna', ''])(
  'a part whose name is sure has the same category for sellers and administrators, whatever “%s” may be',
  (partcategory) => {
    const row = part('Ford', 'Focus', { partname: 'Alternator 130A', partcategory })
    const desk = resolver()
    expect(resolve(desk, row)).toEqual({ partcategory: 'Alternator' })
    expect(resolver(sellersFile).resolve((field) => row[field])).toMatchObject({ partcategory: 'Alternator' })
    expect([desk.newNames.count, desk.uses.filter(({ verdict }) => verdict.kind === 'unsure')]).toEqual([
      0,
      [],
    ])
  },
)

test('a wheel is an alloy one unless its description says steel; a listing’s own category stays', () => {
  const file = { ...sellersFile, namesListings: true }
  const inFull = new RowResolver({ ...testVocabulary, decisions: new NameAnswers([]) }, file)
  const categoryOf = (fields: Fields) => {
    const row = part('Ford', 'Focus', { partname: 'Wheel', partcategory: '', ...fields })
    return inFull.resolve((field) => row[field])?.partcategory ?? row.partcategory
  }
  expect(
    [
      {},
      { partdescription: 'Finish: Steel, black' },
      { partdescription: 'Steel gray car' },
      { partdescription: 'steel', partcategory: 'Alloy Wheels' },
      { partdescription: 'steel', partcategory: 'Wheel', listingid: 'ABCDEFGH' },
    ].map(categoryOf),
  ).toEqual(['Alloy Wheel', 'Steel Wheel', 'Alloy Wheel', 'Alloy Wheel', 'Wheel'])
})

test('a code of yard systems is a make if its model is the make’s', () => {
  const inFull = new RowResolver({ ...testVocabulary, decisions: new NameAnswers([]) }, sellersFile)
  const made = (partmanu: string, partmodel: string) => {
    const row = part(partmanu, partmodel, { partname: 'Alternator' })
    return inFull.resolve((field) => row[field])
  }
  expect(made('VOLK', 'JETTA')).toMatchObject({ partmanu: 'Volkswagen', partmodel: 'Jetta' })
  expect(made('LNDR', 'DISCOVERY')).toMatchObject({ partmanu: 'Land Rover' })
  expect(made('VOLK', 'TE37')).toMatchObject({ waitsfor: 'manufacturer' })
})

test('the category that a person gave an edited record stays', () => {
  const row = part('Ford', 'Focus', { partname: 'Alternator 130A', partcategory: 'Front Door' })
  expect(resolve(resolver({ isEdited: true }), row)).toBeUndefined()
})

test('a heading follows the spelling of the names', () => {
  const row = part('FORD', 'focus', { partname: 'Alternator', h1: '2010 FORD focus Alternator' })
  expect(resolve(resolver(), row)).toMatchObject({ h1: '2010 Ford Focus Alternator' })
  expect(resolve(resolver(), { ...row, h1: 'Great FORD part' })).toMatchObject({ h1: 'Great Ford part' })
})

test('spellings of a new name are one name, spelled as in the first row', () => {
  const rows = resolver()
  const written = ['Flux-Coil', 'flux coil', 'FLUX  COIL'].map(
    (partcategory) => resolve(rows, part('Ford', 'Focus', { partcategory }))?.partcategory ?? partcategory,
  )
  expect(written).toEqual(['Flux-Coil', 'Flux-Coil', 'Flux-Coil'])
  expect(rows.newNames.names({ onlyFamilies: false })).toEqual({
    categories: ['Flux-Coil'],
    manufacturers: [],
    models: [],
  })
  expect([rows.rows, rows.rowsChanged, rows.rowsWithNewNames]).toEqual([3, 2, 3])
})

test('families are created but do not count as new names', () => {
  const rows = resolver()
  resolve(rows, part('Ford', 'ranger'))
  expect([rows.newNames.count, rows.rowsWithNewNames]).toEqual([0, 0])
  expect(rows.newNames.names({ onlyFamilies: true }).models).toMatchObject([
    { manufacturer: 'Ford', model: 'Ranger' },
  ])
})

test('counts rows with a year in which the model was not built', () => {
  const rows = resolver()
  for (const partyear of ['1980', '2010', 'about 1980', '1999', '1995-1999', '1980-1985'])
    resolve(rows, part('Ford', 'Focus', { partyear }))
  const use = rows.uses.find(({ kind }) => kind === 'car-model')
  expect([use?.rows, use?.rowsOutOfYears]).toEqual([6, 2])
})

test('remarks behind a name begin its description, and a side from a column stays with the name', () => {
  const sellers = resolver(sellersFile)
  const changes = (fields: Fields) => {
    const row = part('Ford', 'Focus', fields)
    return sellers.resolve((field) => row[field])
  }
  expect(changes({ partname: 'Front door, small dent', partdescription: 'Blue.' })).toEqual({
    partcategory: 'Front Door',
    partname: 'Front door',
    partdescription: 'small dent\nBlue.',
  })
  expect(changes({ partname: 'ALTERNATOR,LIGHT RUST Left', partside: 'Left' })).toMatchObject({
    partname: 'ALTERNATOR Left',
    partdescription: 'LIGHT RUST',
  })
  expect(changes({ partname: 'Caf&eacute; front door &#8211; left' })).toMatchObject({
    partname: 'Café front door – left',
  })
  expect(changes({ partname: 'Front door', partnum: 'N/A' })).toMatchObject({ partnum: '' })
  expect(changes({ partname: 'Front door', partnum: '8E0\u200b-953' })).toMatchObject({ partnum: '8E0-953' })
  expect(changes({ partname: 'Front door, blue' })).not.toHaveProperty('partname')
})

test('a word that we don’t know is asked about once, whatever vehicles its parts are from', () => {
  const own = resolver({ answers: new NameAnswers([]), isAgain: false, namesListings: false })
  for (const [partmanu, partmodel] of [
    ['Ford', 'Focus'],
    ['BMW', '3 Series'],
    ['Dodge', 'Ram 1500 Quad Cab'],
  ] as const) {
    const fields: Fields = {
      partname: `2010 ${partmanu} ${partmodel} Flibberjig`,
      partmanu,
      partmodel,
      partyear: '2010',
    }
    own.resolve((field) => fields[field])
  }
  expect(own.questions).toMatchObject([{ kind: 'category', about: 'Flibberjig', rows: 3 }])
})

test.each<[kind: 'category' | 'manufacturer' | 'car_model', about: string, typed: string, fields: Fields]>([
  [
    'category',
    'Flibberjig',
    'Odd',
    { ...part('Ford', 'Focus'), partname: 'Flibberjig', partcategory: 'Odd' },
  ],
  ['manufacturer', '', 'Opel', part('Opel', 'Astra', { partname: 'Alternator' })],
  ['car_model', 'Ford', 'Falcon', part('Ford', 'Falcon', { partname: 'Alternator' })],
])('parts with a %s that the seller leaves out wait for nothing', (kind, about, typed, fields) => {
  const asked = (answers: NameAnswers) => {
    const own = resolver({ answers, isAgain: false, namesListings: false })
    const changes = own.resolve((field) => fields[field])
    return { waits: changes?.waitsfor, questions: own.questions.length, leftOut: own.leftOut }
  }
  expect(asked(new NameAnswers([]))).toMatchObject({ questions: 1, leftOut: [] })
  expect(asked(new NameAnswers([{ kind, typed, about, means: LEAVE_OUT }]))).toMatchObject({
    waits: `left out: ${typed}`,
    questions: 0,
    leftOut: [{ typed, rows: 1 }],
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import type { PartsPage } from '#contract/search/parts-search.ts'
import { makeQuickListing, type NamedPart, namedPart } from '#tests/support/make-rows.ts'
import { makeStock } from '#tests/support/make-stock.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* What buyers ask in their own words, against parts for sale: what they exclude, which end, typos, codes and filters. */

const app = await startTestApp()
let yard: SignedIn
beforeAll(async () => {
  yard = await app.signUp()
})

const find = async (q: string, more: Record<string, string> = {}) =>
  (await app.visitor.get<PartsPage>(`/parts?${new URLSearchParams({ q, ...more })}`)).body
const names = ({ items }: PartsPage) => items.map(({ partname }) => partname).toSorted()
const chips = ({ understood }: PartsPage) => understood.map(({ kind, label }) => `${kind} ${label}`)

type Part = NamedPart & { text?: string; price?: number }

async function list({ text, price, ...part }: Part) {
  await makeQuickListing(yard.api, {
    ...(await namedPart(app.visitor, part)),
    ...(text !== undefined && { partdesc: text }),
    ...(price !== undefined && { partprice: price }),
  })
}

describe('what is excluded', () => {
  test('is in no name that is found; other texts may mention it', async () => {
    const wheel = { category: 'Alloy Wheel' }
    await list({ ...wheel, name: 'Alloy wheel 17 in', text: 'Straight.' })
    await list({ ...wheel, name: 'Alloy wheel 18 in', text: 'We have 17 inch ones, too. Black lug nuts.' })
    await list({ ...wheel, name: 'Alloy wheel 20 in, black' })
    for (const q of ['f150 wheels not 17', 'f150 wheels -17', 'f150 wheels excluding 17 inch']) {
      expect([q, names(await find(q))]).toEqual([q, ['Alloy wheel 18 in', 'Alloy wheel 20 in, black']])
    }
    for (const q of ['f150 wheels -black', 'f150 wheels without black', 'f150 wheels other than black']) {
      expect([q, names(await find(q))]).toEqual([q, ['Alloy wheel 17 in', 'Alloy wheel 18 in']])
    }
    const found = await find('f150 wheels not 17 not black')
    expect([names(found), chips(found)]).toEqual([
      ['Alloy wheel 18 in'],
      ['model F-150', 'part Wheel', 'without without 17', 'without without black'],
    ])
    expect(names(await find('f150 wheels witout black'))).not.toContain('Alloy wheel 20 in, black')
  })

  test('is a side, an end, a size with a point, or a year', async () => {
    const glass = { category: 'Window Regulator', model: 'Ranger' }
    await list({ ...glass, name: 'Window regulator, left front', text: 'Fits rear only with a bracket.' })
    await list({ ...glass, name: 'Window regulator RR' })
    expect(names(await find('ranger window regulator -rear'))).toEqual(['Window regulator, left front'])
    expect(names(await find('ranger window regulator not front'))).toEqual(['Window regulator RR'])
    expect(names(await find('ranger window regulator not rear not left'))).toEqual([])
    const engine = { category: 'Engine Assembly', model: 'Ranger' }
    await list({ ...engine, name: 'Engine 2.3L', year: '2013' })
    await list({ ...engine, name: 'Engine 4.0L V6', year: '2011' })
    expect(names(await find('ranger engine not 2.3'))).toEqual(['Engine 4.0L V6'])
    expect(names(await find('ranger engine without v6'))).toEqual(['Engine 2.3L'])
    expect(names(await find('ranger engine -2013'))).toEqual(['Engine 4.0L V6'])
    expect(names(await find('2011-2013 ranger engine not 2013'))).toEqual(['Engine 4.0L V6'])
  })

  test('is not what a name says it has not', async () => {
    const engine = { category: 'Engine Assembly', make: 'Hyundai', model: 'Sonata' }
    await list({ ...engine, name: 'Engine, turbo' })
    await list({ ...engine, name: 'Engine, non-turbo' })
    for (const q of ['non-turbo engine sonata', 'sonata engine not turbo', 'sonata engine -turbo']) {
      expect([q, names(await find(q))]).toEqual([q, ['Engine, non-turbo']])
    }
    const mirror = { category: 'Door Mirror', make: 'Hyundai', model: 'Sonata' }
    await list({ ...mirror, name: 'Mirror, non-heated' })
    await list({ ...mirror, name: 'Mirror, heated' })
    expect(names(await find('sonata mirror not heated'))).toEqual(['Mirror, non-heated'])
  })

  test('is said in other ways, and never asked for instead', async () => {
    await list({ name: 'Trunk lid', category: 'Trunk Lid', make: 'Honda', model: 'Civic' })
    await list({ name: 'Trunk lid LE', category: 'Trunk Lid', make: 'Toyota', model: 'Camry' })
    await list({ name: 'Trunk lid XSE', category: 'Trunk Lid', make: 'Toyota', model: 'Camry' })
    const toyotas = ['Trunk lid LE', 'Trunk lid XSE']
    for (const q of ['trunk lid –honda', 'trunk lid that is not off a honda', 'avoid honda trunk lid']) {
      const found = await find(q)
      expect([q, names(found)]).toEqual([q, toyotas])
      expect(chips(found)).toContain('without without honda')
    }
    const model = { category: 'Trunk Lid', make: 'Toyota', model: 'Camry' }
    const body = await namedPart(app.visitor, { ...model, name: 'Trunk lid, spoiler' })
    await makeQuickListing(yard.api, { ...body, parttrim: 'LE', bodystyle: 'Coupe' })
    expect(names(await find('camry trunk lid -le'))).toEqual(['Trunk lid XSE'])
    expect(names(await find('trunk lid not coupe'))).toEqual(['Trunk lid', ...toyotas])
  })

  test('is a generation, or what a seller has', async () => {
    const part = { category: 'Fuel Pump', make: 'Honda', model: 'Civic' }
    await list({ ...part, name: 'Fuel pump 8', year: '2008' })
    await list({ ...part, name: 'Fuel pump 9', year: '2013' })
    for (const q of ['civic fuel pump not 8th gen', 'civic fuel pump except fa1']) {
      expect([q, names(await find(q))]).toEqual([q, ['Fuel pump 9']])
    }
    const other = await app.signUp()
    await app.db
      .updateTable('seller')
      .set({ name: 'Ford Parts Green' })
      .where('id', '=', other.user.sellerId)
      .execute()
    await makeQuickListing(
      other.api,
      await namedPart(app.visitor, { ...part, name: 'Fuel pump G', year: '2009' }),
    )
    for (const q of ['civic fuel pump not from Ford Parts Green', 'civic fuel pump -ford parts green']) {
      const found = await find(q)
      expect([q, names(found), chips(found).at(-1)]).toEqual([
        q,
        ['Fuel pump 8', 'Fuel pump 9'],
        'without without ford parts green',
      ])
    }
  })
})

test('an end that the words say is no other end by its name, whatever its text says', async () => {
  const strut = { category: 'Strut', make: 'Toyota', model: 'RAV4', year: '2014' }
  await list({ ...strut, name: 'Strut assembly, left rear', text: 'We have the front ones, too.' })
  await list({ ...strut, name: 'Strut assembly, right front' })
  for (const q of ['front strut 2014 rav4', 'need two front struts for a 2014 rav4', 'strut rav4 not rear']) {
    expect([q, names(await find(q))]).toEqual([q, ['Strut assembly, right front']])
  }
  expect(names(await find('rav4 rear strut'))).toEqual(['Strut assembly, left rear'])
  // Another year may fit, but not the other end.
  await list({ ...strut, name: 'Strut assembly, left front', year: '2008' })
  expect(names(await find('left front strut 2014 rav4'))).toEqual(['Strut assembly, left front'])
})

test('an ordinary word is no typo of a part, unless it makes one name with the word beside it', async () => {
  await list({ name: 'Tail lamp, left', category: 'Tail Lamp Assembly', model: 'Mustang' })
  await list({ name: 'Headlamp, left', category: 'Headlamp Assembly', model: 'Mustang' })
  await list({ name: 'Hood', category: 'Hood', model: 'Mustang' })
  await list({ name: 'Starter', category: 'Starter Motor', model: 'Mustang' })
  await list({ name: 'Brake pads', category: 'Brake Pad Set', model: 'Mustang' })
  const corrected = async (q: string) => {
    const found = await find(q)
    return [found.corrected?.to, names(found)]
  }
  expect(await corrected('starter in nice shape for mustang')).toEqual([undefined, ['Starter']])
  expect(await corrected('my kid broke the hood of my mustang')).toEqual([undefined, ['Hood']])
  expect(await corrected('tale light mustang')).toEqual(['tail light mustang', ['Tail lamp, left']])
  expect(await corrected('break pads mustang')).toEqual(['brake pads mustang', ['Brake pads']])
  expect(await corrected('mustang hod')).toEqual(['mustang hood', ['Hood']])
  expect(await corrected('mustang tail lites')).toEqual([undefined, ['Tail lamp, left']])
  expect(await corrected('subaro outbak hood')).toEqual(['subaru outback hood', expect.anything()])
})

test('of several sizes, those that some part says stay', async () => {
  const rim = { category: 'Alloy Wheel', model: 'Mustang' }
  await list({ ...rim, name: 'Alloy wheel 17 in' })
  await list({ ...rim, name: 'Alloy wheel 18 in' })
  for (const q of ['17 inch rims 5 lug mustang', '5 lug 17 inch mustang rims']) {
    const found = await find(q)
    expect([q, names(found)]).toEqual([q, ['Alloy wheel 17 in']])
    expect(found.relaxed?.sentence).toMatch(
      /^No wheels for a Mustang in (?:17 inch 5 lug|5 lug 17 inch)\. Showing 1 that doesn’t say 5 lug\.$/,
    )
  }
  await list({ ...rim, name: 'Alloy wheel 17 in, 5 lug' })
  expect(names(await find('17 inch rims 5 lug mustang'))).toEqual(['Alloy wheel 17 in, 5 lug'])
  await list({ name: 'Turbocharger 6.0L', category: 'Turbocharger', model: 'Ranger' })
  await list({ name: 'Turbocharger 6.0L', category: 'Turbocharger', make: 'Chevrolet', model: 'Tahoe' })
  const turbo = await find('6.0 powerstroke turbo')
  expect(turbo.items.map(({ partmanuname }) => partmanuname)).toEqual(['Ford'])
  expect(turbo.relaxed?.sentence).toBe(
    'No turbochargers for a Ford in 6.0L Powerstroke. Showing 1 that doesn’t say Powerstroke.',
  )
})

test('names typed as one word are read apart', async () => {
  await list({ name: 'Tailgate', category: 'Tailgate', year: '2014' })
  await list({ name: 'Radiator', category: 'Radiator', make: 'Honda', model: 'Civic', year: '2011' })
  for (const [q, found] of [
    ['f150tailgate 2014', 'Tailgate'],
    ['2011civic radiator', 'Radiator'],
    ['radiator civic2011', 'Radiator'],
  ] as const) {
    const page = await find(q)
    expect([q, names(page), page.relaxed]).toEqual([q, [found], undefined])
  }
})

test('a typo is no word of texts that share its stem', async () => {
  await makeStock(app.db, { sellerId: yard.user.sellerId, parts: 50 }, () => ({
    name: 'Engine',
    description: 'Compression tested.',
  }))
  await list({ name: 'Compressor', category: 'A/C Compressor', make: 'Acura', model: 'TSX', year: '2009' })
  const found = await find('ac compresser 2009 acura tsx')
  expect([found.corrected?.to, names(found)]).toEqual(['ac compressor 2009 acura tsx', ['Compressor']])
})

test('a piece is found by any name of the part that it belongs to', async () => {
  await list({ name: 'Sunroof glass', category: 'Sunroof Assembly', make: 'Nissan', model: 'Altima' })
  await list({ name: 'Sunroof complete', category: 'Sunroof Assembly', make: 'Nissan', model: 'Altima' })
  const found = await find('moonroof glass altima')
  expect([names(found), found.relaxed]).toEqual([['Sunroof glass'], undefined])
})

describe('a part that is not there', () => {
  test('is named, if nothing else was asked', async () => {
    const said = async (q: string) => (await find(q)).relaxed?.sentence
    expect(await said('81150-06640')).toBe('No parts with the number 81150-06640 right now.')
    expect(await said('hollander 110-01234')).toMatch(/with the number 110-01234/)
    expect(await said('zebrawood flux')).toBe('No parts with “zebrawood flux” right now.')
    expect(await said('winch')).toBe('No winches right now.')
  })

  test('is named with what was excluded, and with what a long text says beyond our limit', async () => {
    await list({ name: 'Lower grille, red', category: 'Lower Grille', model: 'Taurus', year: '2012' })
    const excluding = await find('lower grille taurus without red')
    expect([names(excluding), excluding.relaxed?.sentence]).toEqual([
      [],
      'No lower grilles for a Taurus without red right now.',
    ])
    const long = Array.from({ length: 22 }, (_, at) => `zzq${String.fromCodePoint(97 + at)}`).join(' ')
    expect((await find(long)).relaxed?.sentence).toMatch(
      / Your search is too long: “zzqu zzqv” was left out\.$/,
    )
  })

  test('of an SUV is its liftgate', async () => {
    await list({ name: 'Liftgate', category: 'Liftgate', make: 'Honda', model: 'CR-V', year: '2008' })
    await list({ name: 'Tailgate', category: 'Tailgate', make: 'Toyota', model: 'Tacoma', year: '2008' })
    const found = await find('tailgate crv 2008')
    expect([names(found), found.relaxed?.sentence]).toEqual([
      ['Liftgate'],
      'No tailgates for a 2008 CR-V right now. Showing 1 liftgates.',
    ])
  })

  test('is reported, and a more general meaning of the words comes first', async () => {
    await list({ name: 'Rear view mirror', category: 'Rear View Mirror', model: 'Taurus', year: '2012' })
    await list({ name: 'Door mirror, left', category: 'Door Mirror', model: 'Taurus', year: '2004' })
    const found = await find('mirror 2012 taurus')
    expect([names(found), found.relaxed?.sentence]).toEqual([
      ['Rear view mirror'],
      'No mirrors for a 2012 Taurus right now. Showing 1 rear view mirrors.',
    ])
    expect(names(await find('left mirror 2012 taurus'))).toEqual(['Door mirror, left'])
  })

  test('of which we know only the last word is no other part', async () => {
    await list({ name: 'Oxygen sensor', category: 'Oxygen Sensor', model: 'Taurus', year: '2012' })
    await list({ name: 'Center cap', category: 'Wheel Center Cap', model: 'Taurus', year: '2012' })
    await list({ name: 'Boot lid', category: 'Trunk Lid', model: 'Taurus', year: '2012' })
    for (const [q, parts] of [
      ['knock sensor 2012 taurus', 'knock sensors'],
      ['gas cap 2012 taurus', 'gas caps'],
      ['shift boot 2012 taurus', 'shift boots'],
    ]) {
      const found = await find(q ?? '')
      const sentence = `No ${parts} for a 2012 Taurus right now.`
      expect([q, names(found), found.relaxed?.sentence]).toEqual([q, [], sentence])
    }
    await list({ name: 'Knock sensor', category: 'Engine Assembly', model: 'Taurus', year: '2012' })
    expect(names(await find('knock sensor 2012 taurus'))).toEqual(['Knock sensor'])
  })

  test('is named, if the words that it has are in other texts', async () => {
    await list({ name: 'Front seat', category: 'Front Seat', text: 'Nothing broken. Called in daily.' })
    const found = await find('nothing-is-called-this')
    expect([names(found), found.relaxed?.sentence]).toEqual([
      [],
      'No parts with “nothing-is-called-this” right now.',
    ])
    await list({ name: 'All-in-one tool', category: 'Jack Kit' })
    await list({ name: 'Bolt-on flare', category: 'Fender' })
    expect(names(await find('all-in-one'))).toEqual(['All-in-one tool'])
    expect(names(await find('bolt-on'))).toEqual(['Bolt-on flare'])
  })

  test('is there if another category has it by that name', async () => {
    await list({ name: 'ABS pump and module', category: 'ABS Pump', model: 'Taurus', year: '2012' })
    const found = await find('abs module 2012 taurus')
    expect([names(found), found.relaxed]).toEqual([['ABS pump and module'], undefined])
  })

  test('may be of a kind that its category does not tell', async () => {
    await list({ name: 'Liftgate strut, left', category: 'Gas Strut', model: 'Escape' })
    const found = await find('hood strut escape')
    expect([names(found), found.relaxed?.sentence]).toEqual([
      ['Liftgate strut, left'],
      'Nothing mentions “hood or bonnet”. Showing 1 gas strut for an Escape without it.',
    ])
    await list({ name: 'Hood strut', category: 'Gas Strut', model: 'Escape' })
    expect(names(await find('hood struts escape'))).toEqual(['Hood strut'])
  })
})

test('a code binds the years of its own models', async () => {
  const lamp = { name: 'Headlamp', category: 'Headlamp Assembly' }
  await list({ ...lamp, name: 'Headlamp E', make: 'BMW', model: '3 Series', year: '2008' })
  await list({ ...lamp, name: 'Headlamp F', make: 'BMW', model: '3 Series', year: '2015' })
  await list({ ...lamp, name: 'Headlamp C', make: 'Toyota', model: 'Corolla', year: '2010' })
  await list({ ...lamp, name: 'Headlamp O', make: 'Toyota', model: 'Corolla', year: '1992' })
  expect(names(await find('e90 headlight'))).toEqual(['Headlamp E', 'Headlamp O'])
  expect(names(await find('e90 3 series headlight'))).toEqual(['Headlamp E'])
  expect(names(await find('e90 corolla headlight'))).toEqual(['Headlamp O'])
  expect(names(await find('2008 e90 headlight'))).toEqual(['Headlamp E'])
})

describe('a number that nobody has', () => {
  const part = { category: 'Alternator', make: 'Toyota' }
  const near = async (q: string, more = {}) => {
    const found = await find(q, more)
    return [names(found), found.relaxed?.sentence, found.relaxed?.dropped]
  }

  test('is near the number of a part that is all else that was asked', async () => {
    await list({ ...part, name: 'Alternator A', model: 'Sienna', year: '2012', number: '27060-7V210' })
    await list({
      ...part,
      name: 'Alternator B',
      model: 'Sienna',
      year: '2016',
      number: '27060-7V210',
      price: 400,
    })
    await list({
      name: 'Bracket',
      category: 'Bumper Bracket',
      make: 'Toyota',
      model: 'Sienna',
      number: '27060-7V210',
    })
    const all = 'No part number 27060-7V211; 2 with one other character'
    expect(await near('alternator 27060-7V211')).toEqual([
      ['Alternator A', 'Alternator B'],
      `${all}.`,
      ['number'],
    ])
    expect(await near('2016 sienna alternator 27060-7V211')).toEqual([
      ['Alternator B'],
      'No part number 27060-7V211; 1 with one other character.',
      ['number'],
    ])
    expect((await near('alternator 27060-7V211 under $300'))[0]).toEqual(['Alternator A'])
    expect((await near('alternator 27060-7V211 not 2012'))[0]).toEqual(['Alternator B'])
    // What does not apply is said.
    expect(await near('2009 camry alternator 27060-7V211')).toEqual([
      ['Alternator A', 'Alternator B'],
      `${all}, for other makes from other years.`,
      ['number', 'year', 'model', 'make'],
    ])
    expect((await near('alternator not toyota 27060-7V211'))[0]).toEqual([])
    expect((await near('alternator 27060-7V211', { exact: '1' }))[0]).toEqual([])
  })
})

test('words behind a long sentence count', async () => {
  await list({ name: 'Transfer case', category: 'Transfer Case', model: 'Bronco', year: '2022' })
  await list({ name: 'Transfer case', category: 'Transfer Case', model: 'Ranger', year: '2012' })
  const found = await find(
    'Hello, I am trying to find out if you guys would happen to have in stock a good used transfer case for a 2022 Ford Bronco',
  )
  expect(chips(found)).toEqual(['part Transfer Case', 'year 2022', 'make Ford', 'model Bronco'])
  expect(found.items.map(({ partyear }) => partyear)).toEqual(['2022'])
})

test('beside a wheel in any language, a number is its size', async () => {
  await list({ name: 'Steel wheel 17', category: 'Steel Wheel', make: 'Honda', model: 'Fit', year: '2012' })
  await list({ name: 'Steel wheel 15', category: 'Steel Wheel', make: 'Honda', model: 'Fit', year: '2017' })
  const found = await find('rin 17 honda fit')
  expect([names(found), chips(found)]).toEqual([
    ['Steel wheel 17'],
    ['part Wheel', 'size 17 inch', 'make Honda', 'model Fit'],
  ])
})

test('an engine has its size in liters, not its digits anywhere', async () => {
  const engine = { category: 'Engine Assembly', make: 'Chevrolet' }
  await list({ ...engine, name: 'Engine 5.3', model: 'Tahoe' })
  await list({ ...engine, name: 'Engine 5.3L V8', model: 'Tahoe' })
  await list({ ...engine, name: 'Engine 2.5', model: 'Malibu', text: 'On shelf 53.' })
  expect(names(await find('chevrolet engine 5.3'))).toEqual(['Engine 5.3', 'Engine 5.3L V8'])
})

describe('filters', () => {
  test('that the words say have their chip, and are in the addresses without another', async () => {
    const radio = { category: 'Radio', model: 'Escape', year: '2016' }
    await list({ ...radio, name: 'Radio' })
    const found = await find('escape radio near 30310')
    expect([names(found), chips(found), found.relaxed]).toEqual([
      ['Radio'],
      ['model Escape', 'part Radio', 'filter Distance from 30310'],
      undefined,
    ])
    expect(found.said).toEqual({ zip: '30310' })
    expect(found.understood.map(({ without }) => without)).toEqual([
      'q=radio&zip=30310',
      'q=escape&zip=30310',
      'q=escape+radio',
    ])
    const around = await find('escape radio within 100 miles of 30310 under 90k miles', { within: '50' })
    expect(chips(around).slice(2)).toEqual([
      'filter Up to 90,000 miles on it',
      'filter Within 50 mi of 30310 or shipped',
    ])
    const { status, body } = await app.visitor.get<{ fields: object }>('/parts?q=escape+radio+near+00001')
    expect([status, Object.keys(body.fields)]).toEqual([422, ['zip']])
  })

  test('that are said twice have one chip, which removes both', async () => {
    const { understood } = await find('will a 2015 escape radio fit a 2016 escape')
    const model = understood.filter(({ kind }) => kind === 'model')
    expect(model.map(({ label }) => label)).toEqual(['Escape'])
    expect(model[0]?.without).not.toMatch(/escape/)
  })

  test('that leave nothing of what was asked are named and offered', async () => {
    await list({ name: 'Horn', category: 'Horn', model: 'Fusion', year: '2014' })
    await list({ name: 'Horn, low', category: 'Horn', make: 'Toyota', model: 'Avalon' })
    const other = await find('fusion horn', { make: 'toyota' })
    expect(other.relaxed?.sentence).toMatch(/^With “Toyota” chosen: no horns for a Fusion/)
    expect(other.offers?.map(({ label }) => label)).toEqual(['Toyota'])
    await list({ name: 'Horn, high', category: 'Horn', model: 'Fusion', year: '2010' })
    const year = await find('2014 fusion horn', { year: '2010' })
    expect(year.relaxed?.sentence).toMatch(/^With “2010” chosen: nothing for 2014/)
  })

  test('that cannot be met are refused or said', async () => {
    const refused = await app.visitor.get<{ fields: object }>('/parts?q=horn&year=abcd')
    expect([refused.status, refused.body.fields]).toEqual([400, { year: 'Use a year such as 2014' }])
    const { understood } = await find('horn', { within: '50' })
    expect(understood.at(-1)).toMatchObject({ label: 'Within 50 mi needs a ZIP code', isUnknown: true })
  })
})

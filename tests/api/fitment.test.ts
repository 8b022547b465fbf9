import { expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { Listing } from '#contract/listings.ts'
import type { CarModel, Manufacturer } from '#contract/lookups.ts'
import type { AroundPart, PartFit } from '#contract/pages/part-page.ts'
import type { PartsPage } from '#contract/search/parts-search.ts'
import { lookupDesk, startRelabeling } from '#tests/support/admin-lookups.ts'
import { untilStatus } from '#tests/support/job-bench.ts'
import { makeQuickListing, quickListing, someLookups } from '#tests/support/make-rows.ts'
import { startTestApp } from '#tests/support/test-app.ts'

/* What a part fits besides the car it came from. */

const app = await startTestApp()
const { visitor } = app
const admin = await app.signUp({ role: 'admin' })
const seller = await app.signUp()
const { body: makes } = await visitor.get<Manufacturer[]>('/manufacturers')

async function modelNamed(make: string, name: string) {
  const manuId = makes.find(({ manuname }) => manuname === make)?.id ?? ''
  const { body } = await visitor.get<CarModel[]>(`/carmodels?manuId=${manuId}`)
  return { manuId, modelId: body.find(({ carname }) => carname === name)?.id ?? `no ${make} ${name}` }
}
const [accord, tsx, rover] = [
  await modelNamed('Honda', 'Accord'),
  await modelNamed('Acura', 'TSX'),
  await modelNamed('Land Rover', 'Range Rover Sport'),
]

const makePart = (changes = {}) => makeQuickListing(seller.api, changes)
const read = async (id: string) => (await seller.api.get<Listing>(`/seller/parts/${id}`)).body
const edit = (id: string, changes: object) =>
  seller.api.put<Listing & ErrorReply>(`/seller/parts/${id}`, changes)

async function found(query: Record<string, string>): Promise<string[]> {
  const { body } = await visitor.get<PartsPage>(`/parts?${new URLSearchParams({ ...query, perPage: '100' })}`)
  return body.items.map(({ id }) => id)
}

test('a list is stored in one form, and an unreadable one names its row', async () => {
  const { id } = await makePart({ fitment: ' 2008 - 2012 Honda  Accord\n2009-2014 Acura TSX (without A/C)' })
  const stored = '2008-2012 Honda Accord; 2009-2014 Acura TSX (without A/C)'
  expect((await read(id)).fitment).toBe(stored)
  const sentence = 'Fitment 2, “Acura TSX”: begin with the year or years, such as 2008-2012 Honda Accord'
  expect((await edit(id, { fitment: '2010 Honda Accord; Acura TSX' })).body).toMatchObject({
    code: 'VALIDATION_FAILED',
    fields: { fitment: sentence },
  })
  const tooMany = Array.from({ length: 201 }, (_, at) => `2010 Kia ${at}`).join('; ')
  expect((await edit(id, { fitment: tooMany })).body.error).toMatch('at most 200 vehicles; this has 201')
  expect((await read(id)).fitment).toBe(stored)
  const body = quickListing(await someLookups(visitor), { fitment: 'all Hondas' })
  expect((await seller.api.post('/seller/quick-listings', body)).status).toBe(422)
  expect((await edit(id, { fitment: '' })).body.fitment).toBeNull()
})

test('a search for a vehicle finds what fits it, only in the years of its row', async () => {
  const part = await makePart({
    fitment: '2008-2012 Honda Accord; 2009-2010 Acura TSX; 2014 Land Rover Range Rover Sport; 2011 Zorp Zing',
  })
  const finds = async (query: Record<string, string>) => (await found(query)).includes(part.id)
  expect(await finds({ ...accord, year: '2008' })).toBe(true)
  expect(await finds({ ...accord, year: '2012' })).toBe(true)
  expect(await finds({ ...accord, year: '2014' })).toBe(false)
  expect(await finds({ ...tsx, year: '2012' })).toBe(false)
  expect(await finds({ modelId: tsx.modelId })).toBe(true)
  expect(await finds({ manuId: tsx.manuId, year: '2010' })).toBe(true)
  expect(await finds({ manuId: tsx.manuId, year: '2011' })).toBe(false)
  expect(await finds({ ...rover, year: '2014' })).toBe(true)
  expect(await finds({ year: '2009' })).toBe(true)
  expect(await finds({ manuId: part.partmanuId ?? '', modelId: part.partmodelId ?? '', year: '2014' })).toBe(
    true,
  )
  const relaxedOf = async (q: string) =>
    (await visitor.get<PartsPage>(`/parts?${new URLSearchParams({ q })}`)).body.relaxed?.dropped
  expect([await finds({ q: '2010 acura tsx' }), await relaxedOf('2010 acura tsx')]).toEqual([true, undefined])
  expect(await relaxedOf('2012 acura tsx')).toEqual(['year'])
  expect(await finds({ q: 'zorp zing' })).toBe(true)
  await edit(part.id, { fitment: '2014 Acura TSX' })
  expect(await finds({ ...accord, year: '2010' })).toBe(false)
  expect(await finds({ ...tsx, year: '2014' })).toBe(true)
})

test('the seller’s and the administrators’ lists use the car that a part came from', async () => {
  const { id, partmanuId } = await makePart({ fitment: '2008 Honda Accord' })
  const own = async (manuId: string | null) => {
    const { body } = await seller.api.get<{ items: Listing[] }>(`/seller/parts?manuId=${manuId}&perPage=100`)
    return body.items.some((one) => one.id === id)
  }
  expect([await own(accord.manuId), await own(partmanuId)]).toEqual([false, true])
})

test('its page lists the rows with what the catalog knows of them, its own car first', async () => {
  const part = await makePart({ fitment: '2009 acura tsx (trim: Sport, without A/C); 2011 Zorp Zing' })
  const { body } = await visitor.get<AroundPart>(`/parts/${part.partslug}/around`)
  expect(body.fits).toEqual([
    {
      source: 'donor',
      from: 2014,
      to: 2014,
      vehicle: `Ford ${part.partmodel}`,
      details: 'XLT',
      makeId: part.partmanuId,
      modelId: part.partmodelId,
    },
    {
      source: 'seller',
      from: 2009,
      to: 2009,
      vehicle: 'acura tsx',
      details: 'trim: Sport, without A/C',
      makeId: tsx.manuId,
      modelId: tsx.modelId,
    },
    { source: 'seller', from: 2011, to: 2011, vehicle: 'Zorp Zing', details: '' },
  ])
})

test('cards say which of a garage’s models each part fits, and hidden parts nothing', async () => {
  const part = await makePart({ fitment: '2009 Acura TSX; 2008-2012 Honda Accord (V6); 2011 Zorp Zing' })
  const plain = await makePart()
  const hidden = await makePart()
  await admin.api.put(`/auto-parts/${hidden.id}`, { status: 'HIDDEN' })
  const ask = (ids: readonly string[], modelIds: readonly string[]) =>
    visitor.get<{ items: { id: string; fits: PartFit[] }[] } & ErrorReply>(
      `/parts/fits?${new URLSearchParams({ ids: ids.join(), modelIds: modelIds.join() })}`,
    )
  const { body } = await ask([part.id, plain.id, hidden.id], [accord.modelId, rover.modelId])
  expect(body.items.map(({ id, fits }) => [id, fits.map(({ from, details }) => [from, details])])).toEqual([
    [part.id, [[2008, 'V6']]],
    [plain.id, []],
  ])
  const many = await ask(
    Array.from({ length: 49 }, () => part.id),
    [accord.modelId],
  )
  expect([many.status, many.body.fields]).toEqual([400, { ids: expect.any(String) }])
})

test('what fits a model is found by the one it is merged into', async () => {
  const desk = lookupDesk(() => admin)
  const maker = await desk.manufacturer('Zilch Motors')
  const [from, into] = [await desk.model(maker.id, 'Zippo'), await desk.model(maker.id, 'Zip')]
  const part = await makePart({ fitment: '2009-2011 Zilch Motors Zippo' })
  expect(await found({ modelId: from.id, year: '2010' })).toEqual([part.id])
  const jobId = await desk.merge('car-model', from, into)
  const worker = await startRelabeling(app)
  await untilStatus(app, jobId, 'completed')
  await worker.close()
  expect(await found({ modelId: into.id, year: '2010' })).toEqual([part.id])
  expect(await found({ modelId: into.id, year: '2012' })).toEqual([])
  expect((await read(part.id)).fitment).toBe('2009-2011 Zilch Motors Zippo')
})

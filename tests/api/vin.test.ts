import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { NotAVin, VinVehicle } from '#contract/vehicle/vin.ts'
import { readCsv } from '#db/data/read-data.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let seller: SignedIn
beforeAll(async () => {
  seller = await app.signUp()
})

const decode = <Reply = VinVehicle>(vin: string) => app.visitor.get<Reply>(`/vin/${encodeURIComponent(vin)}`)

describe('GET /vin/{vin}', () => {
  test('decodes without a token into a vehicle of our lookups', async () => {
    const { status, body, headers } = await decode('1hg-cm82633a 004352')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      vin: '1HGCM82633A004352',
      valid: true,
      problems: [],
      suggestions: [],
      year: 2003,
      make: 'Honda',
      model: 'Accord',
      trim: 'EX-V6',
      body: 'Coupe',
      doors: 2,
      engine: 'V6 (J30A4)',
      fuel: 'Gasoline',
      drive: null,
      certainty: { year: 1, make: 1, model: 1 },
    })
    expect(headers['cache-control']).toBe('private, max-age=3600')
    const models = await app.visitor.get<{ id: string; carname: string }[]>(
      `/carmodels?manuId=${body.makeId}`,
    )
    expect(models.body.find(({ id }) => id === body.modelId)?.carname).toBe('Accord')
  })

  test('returns our name of a model, and the maker’s name as its trim', async () => {
    const { body } = await decode('WBA3A5C57CF256651')
    expect(body).toMatchObject({ year: 2012, make: 'BMW', model: '3 Series', trim: '328i', valid: true })
  })

  test('reports a wrong check digit with what may have been meant', async () => {
    const { status, body } = await decode('1HGCM82633A004325')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      valid: false,
      problems: ['The check digit (9th character) should be 0.'],
      model: 'Accord',
      certainty: { model: 0.5 },
    })
    expect(body.suggestions).toContain('1HGCM82633A004352')
  })

  test.each([
    ['1HGCM82633AO04352', 12, ['1HGCM82633A004352']],
    ['IHGCM82633A004352', 1, ['1HGCM82633A004352']],
    ['1HGCM82633A04352', 17, ['1HGCM82633A004352']],
  ])('refuses %s, and says where it is wrong', async (vin, position, suggestions) => {
    const { status, body } = await decode<ErrorReply>(vin)
    expect(status).toBe(422)
    expect(body).toMatchObject({ code: 'VALIDATION_FAILED', position, suggestions })
    expect(body.fields?.vin).toMatch(/VIN/)
  })

  test('finds most published cars in our lookups', async () => {
    const file = new URL('../../server/features/market/vin/published-vins.csv', import.meta.url)
    const vins = readCsv(file).map(({ vin = '' }) => vin)
    const { body } = await seller.api.post<{ items: VinVehicle[] }>('/vin/decode', { vins })
    const share = (field: 'makeId' | 'modelId') => body.items.filter((item) => item[field] !== null).length
    expect(share('makeId')).toBeGreaterThanOrEqual(120)
    expect(share('modelId')).toBeGreaterThanOrEqual(110)
  })
})

describe('POST /vin/decode', () => {
  const decodeAll = (vins: string[]) =>
    seller.api.post<{ items: (VinVehicle | NotAVin)[] }>('/vin/decode', { vins })

  test('decodes many, and says why a text is not a VIN', async () => {
    const { status, body } = await decodeAll(['1HGCM82633A004352', 'nonsense', '1HGCM82633AQ04352'])
    expect(status).toBe(200)
    expect(body.items).toMatchObject([
      { vin: '1HGCM82633A004352', model: 'Accord' },
      { vin: 'NONSENSE', position: 2, error: 'A VIN has 17 characters; this one has 8.' },
      { vin: '1HGCM82633AQ04352', position: 12, suggestions: ['1HGCM82633A004352'] },
    ])
  })

  test('takes up to 1,000, from signed-in callers', async () => {
    const thousand = Array.from({ length: 1_000 }, () => '1HGCM82633A004352')
    expect((await decodeAll(thousand)).body.items).toHaveLength(1_000)
    expect((await decodeAll([...thousand, '1HGCM82633A004352'])).status).toBe(422)
    expect((await app.visitor.post('/vin/decode', { vins: [] })).status).toBe(401)
  })
})

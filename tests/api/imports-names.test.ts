import { describe, expect, test, vi } from 'vitest'
import type {
  DryRunReply,
  ImportQuestion,
  ImportReceipt,
  ImportRecord,
  StagedReply,
} from '#contract/imports.ts'
import type { Category, Manufacturer } from '#contract/lookups.ts'
import {
  csvOf,
  newKey,
  partMapping,
  partRow,
  proSeller,
  type SentImport,
  sendCsv,
} from '#tests/support/make-imports.ts'
import { listingsOf, startPromotionWorker } from '#tests/support/promotions.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

/* Rows with a category, make or model that nobody is sure of wait for their seller; all others go live. */

const app = await startTestApp()
await startPromotionWorker(app)
const trusted = () => proSeller(app, { trusted: true })

const row = (number: number, changes = {}) => partRow(number, { Model: 'Crown Victoria', ...changes })

type Sent = Pick<SentImport, 'file' | 'fields'>
type Questions = { held: number; questions: ImportQuestion[] }

const check = async (seller: SignedIn, sent: Sent) =>
  (await sendCsv<DryRunReply>(seller.api, { ...sent, dryRun: true })).body.preview

async function run(seller: SignedIn, sent: Sent): Promise<ImportRecord> {
  const { body } = await sendCsv<StagedReply>(seller.api, sent)
  return untilLive(seller, body.importId)
}

function untilLive(
  seller: SignedIn,
  importId: string,
  isDone = ({ state }: ImportRecord) => state === 'applied',
): Promise<ImportRecord> {
  return vi.waitFor(
    async () => {
      const { body } = await seller.api.get<ImportRecord>(`/pro/imports/${importId}`)
      expect(isDone(body), JSON.stringify([body.state, body.error, body.review, body.plan])).toBe(true)
      return body
    },
    { timeout: 15_000, interval: 50 },
  )
}

const questionsOf = async (seller: SignedIn, { id }: ImportRecord) =>
  (await seller.api.get<Questions>(`/pro/imports/${id}/questions`)).body

const answer = (seller: SignedIn, answers: object[]) =>
  seller.api.post<{ importIds: string[]; error: string }>('/pro/names', { answers })

const categoryNamed = async (name: string) => {
  const { body } = await app.visitor.get<Category[]>('/categories')
  return body.find((category) => category.name === name)?.id ?? ''
}

describe('the category of a row', () => {
  const file = csvOf([
    row(1, { Title: 'LH front door', Type: 'Doors' }),
    row(2, { Title: 'Front bumper cover', Type: '' }),
    row(3, { Title: 'Door handle', Type: 'Body' }),
    row(4, { Title: 'Door handle black LH', Type: 'Body' }),
    row(5, { Title: 'Caliper bracket', Type: 'Body' }),
  ])

  test('comes from the part’s name; unsure ones wait, once for each word and part type', async () => {
    const seller = await trusted()
    const { plan, questions: foretold, total, errors } = await check(seller, { file })
    expect([total, errors]).toEqual([5, 0])
    expect(plan).toMatchObject({ creates: 2, updates: 0, ends: 0, held: 3, newNames: [] })
    const done = await run(seller, { file })
    expect(done.plan).toMatchObject({ create: 2, held: 3, rejected: 0 })
    const live = await listingsOf(app, seller)
    expect(live.map(({ category_id }) => category_id)).toEqual([
      await categoryNamed('Front Door'),
      await categoryNamed('Front Bumper Cover'),
    ])
    const { held, questions } = await questionsOf(seller, done)
    expect(held).toBe(3)
    expect(questions.map(({ typed, about, rows }) => [typed, about, rows])).toEqual([
      ['Body', 'door handle', 2],
      ['Body', 'caliper bracket', 1],
    ])
    expect(foretold).toMatchObject(questions)
    expect(foretold?.[0]).toMatchObject({ id: 'category:door handle:Body', column: 'Type' })
    expect(questions[0]?.choices.map(({ name }) => name)).toContain('Outside Door Handle')
    expect(questions[0]).toMatchObject({ example: '2014 Ford Crown Victoria Door handle', mayBeNew: false })
  })

  test('may be left out: its rows wait no more, the next file asks nothing, and another answer lists them', async () => {
    const seller = await trusted()
    const first = await run(seller, { file })
    const named = { kind: 'category', typed: 'body', about: 'door handle' }
    await answer(seller, [{ ...named, lookupId: null, leaveOut: true }])
    const left = await untilLive(seller, first.id, ({ plan }) => plan?.held === 1)
    expect(left.plan).toMatchObject({ create: 2, held: 1 })
    const again = await check(seller, { file })
    expect(again.plan).toMatchObject({ creates: 0, held: 1 })
    expect(again.leftOut).toMatchObject([{ typed: 'Body', about: 'door handle', rows: 2 }])
    expect(again.questions).toMatchObject([{ about: 'caliper bracket' }])
    expect(again.rows.map(({ errors }) => errors)).toEqual(
      Array.from({ length: 2 }, () => ['Parts named “Body” are left out, as you answered']),
    )
    const lookupId = await categoryNamed('Outside Door Handle')
    await answer(seller, [{ ...named, lookupId }])
    expect((await check(seller, { file })).plan).toMatchObject({ creates: 2, held: 1 })
  })

  test('is answered once: the rows go live, the next file has no question, and all of it can be undone', async () => {
    const seller = await trusted()
    const first = await run(seller, { file })
    const lookupId = await categoryNamed('Outside Door Handle')
    const { status, body } = await answer(seller, [
      { kind: 'category', typed: 'body', about: 'door handle', lookupId },
    ])
    expect([status, body.importIds]).toEqual([200, [first.id]])
    const done = await untilLive(
      seller,
      first.id,
      ({ state, plan }) => state === 'applied' && plan?.held === 1,
    )
    expect(done.plan).toMatchObject({ create: 4, update: 0, unchanged: 0, held: 1 })
    const { body: receipt } = await seller.api.get<ImportReceipt>(`/pro/imports/${first.id}/receipt`)
    expect(receipt).toMatchObject({ total: 5, created: 4, waiting: 1 })
    expect(
      (await listingsOf(app, seller)).filter(({ category_id }) => category_id === lookupId),
    ).toHaveLength(2)
    const next = await check(seller, { file: csvOf([row(9, { Title: 'Door handle RH', Type: 'BODY' })]) })
    expect(next.plan).toMatchObject({ creates: 1, held: 0 })
    expect((await seller.api.post(`/pro/imports/${first.id}/undo`)).status).toBe(202)
    await untilLive(seller, first.id, ({ state }) => state === 'undone')
    await vi.waitFor(
      async () =>
        expect((await listingsOf(app, seller)).filter(({ deleted_at }) => deleted_at === null)).toEqual([]),
      { timeout: 10_000 },
    )
  })

  test('what a seller changed in the other parts since then stays', async () => {
    const seller = await trusted()
    const first = await run(seller, { file })
    const [one, two] = await listingsOf(app, seller)
    await seller.api.delete(`/seller/parts/${one?.id}`)
    await run(seller, { file: csvOf([row(2, { Title: 'Front bumper cover', Price: '12' })]) })
    const lookupId = await categoryNamed('Outside Door Handle')
    await answer(seller, [{ kind: 'category', typed: 'Body', about: 'door handle', lookupId }])
    await untilLive(seller, first.id, ({ state, plan }) => state === 'applied' && plan?.held === 1)
    const after = await listingsOf(app, seller)
    expect(after).toHaveLength(4)
    expect(after.find(({ id }) => id === one?.id)?.deleted_at).not.toBeNull()
    expect(after.find(({ id }) => id === two?.id)?.price_cents).toBe(1_200)
  })
})

describe('new makes and models', () => {
  const file = csvOf([
    row(1),
    row(2, { Make: 'Zorblatt', Model: 'Runabout' }),
    row(3, { Make: 'ZORBLATT', Model: 'Wagonette' }),
    row(4, { Make: 'Nissan Qwerty', Model: '2.5 S oddity' }),
    row(6, { Make: 'Nissan Altima', Model: '2.5 S' }),
    row(5, { Model: 'Zeppelin 9000' }),
  ])
  const made = (name: string) =>
    app.db.selectFrom('manufacturer').select('id').where('name_key', '=', name.toLowerCase()).execute()

  test('are listed before they exist, and only their rows wait', async () => {
    const seller = await trusted()
    const { plan } = await check(seller, { file })
    expect(plan).toMatchObject({ creates: 2, held: 4 })
    expect(plan?.newNames).toEqual([
      { kind: 'manufacturer', name: 'Zorblatt', rows: 2, example: '2014 Zorblatt Runabout Alternator 2' },
      { kind: 'model', name: 'Zorblatt Runabout', rows: 1, example: '2014 Zorblatt Runabout Alternator 2' },
      { kind: 'model', name: 'Zorblatt Wagonette', rows: 1, example: '2014 ZORBLATT Wagonette Alternator 3' },
      { kind: 'model', name: 'Ford Zeppelin 9000', rows: 1, example: '2014 Ford Zeppelin 9000 Alternator 5' },
    ])
    const done = await run(seller, { file })
    expect(done.plan).toMatchObject({ create: 2, held: 4, newNames: { manufacturer: [], model: [] } })
    expect([await made('zorblatt'), await made('nissanaltima'), await made('nissanqwerty')]).toEqual([
      [],
      [],
      [],
    ])
    const { questions } = await questionsOf(seller, done)
    const asked = questions.map(({ kind, typed, mayBeNew, choices }) => [
      kind,
      typed,
      mayBeNew,
      choices[0]?.name,
    ])
    expect(asked).toEqual([
      ['manufacturer', 'Zorblatt', true, undefined],
      ['manufacturer', 'Nissan Qwerty', false, 'Nissan'],
      ['car-model', 'Zeppelin 9000', true, undefined],
    ])
  })

  test('exist once the seller confirms them, for that seller alone; an undo removes them', async () => {
    const seller = await trusted()
    const first = await run(seller, { file })
    const { body } = await app.visitor.get<Manufacturer[]>('/manufacturers')
    const ford = body.find(({ manuname }) => manuname === 'Ford')?.id
    const { status } = await answer(seller, [
      { kind: 'manufacturer', typed: 'Zorblatt', about: '', lookupId: null },
      { kind: 'manufacturer', typed: 'Nissan Qwerty', about: '', lookupId: ford },
    ])
    expect(status).toBe(200)
    const done = await untilLive(
      seller,
      first.id,
      ({ state, plan }) => state === 'applied' && plan?.create !== 2,
    )
    expect(done.plan).toMatchObject({ create: 4, held: 2 })
    const sees = async (api: typeof app.visitor) =>
      (await api.get<Manufacturer[]>('/manufacturers')).body.some(({ manuname }) => manuname === 'Zorblatt')
    expect([await sees(seller.api), await sees(app.visitor), await sees((await trusted()).api)]).toEqual([
      true,
      false,
      false,
    ])
    const { plan } = await check(await trusted(), { file })
    expect(plan?.newNames.map(({ name }) => name)).toEqual(['Ford Zeppelin 9000'])
    expect((await seller.api.post(`/pro/imports/${first.id}/undo`)).status).toBe(202)
    await untilLive(seller, first.id, ({ state }) => state === 'undone')
    expect(await made('zorblatt')).toEqual([])
    expect((await listingsOf(app, seller)).every(({ deleted_at }) => deleted_at !== null)).toBe(true)
  })

  test('become everybody’s once a second, established yard chooses them', async () => {
    const owner = await trusted()
    await run(owner, { file: csvOf([row(1), row(2, { Make: 'Quagmobile', Model: 'Tourer' })]) })
    await answer(owner, [{ kind: 'manufacturer', typed: 'Quagmobile', about: '', lookupId: null }])
    const made = await vi.waitFor(async () => {
      const { body } = await owner.api.get<Manufacturer[]>('/manufacturers')
      const found = body.find(({ manuname }) => manuname === 'Quagmobile')
      expect(found).toBeDefined()
      return found
    }, 15_000)
    const isPublic = async () => {
      const { body } = await app.visitor.get<Manufacturer[]>('/manufacturers')
      return body.some(({ id }) => id === made?.id)
    }
    const second = await trusted()
    await run(second, { file: csvOf([row(1)]) })
    const choose = () =>
      answer(second, [
        { kind: 'manufacturer', typed: 'Quag Mobile Co', about: '', lookupId: made?.id ?? null },
      ])
    await choose()
    expect(await isPublic()).toBe(false)
    await app.db
      .updateTable('app_user')
      .set({ email_verified_at: new Date(), created_at: new Date('2026-01-01') })
      .where('id', '=', second.user.id)
      .execute()
    await choose()
    expect(await isPublic()).toBe(true)
  })

  test('several names in one cell are an error of that row', async () => {
    const seller = await trusted()
    const { errors, rows } = await check(seller, {
      file: csvOf([
        row(1, { Make: 'Outback, Corolla, RAV4' }),
        row(2, { Model: 'Camry; Corolla' }),
        row(3, { Model: 'Camry, LE', Make: 'Toyota' }),
      ]),
    })
    expect(errors).toBe(2)
    expect(rows[0]?.errors[0]).toContain('“Outback, Corolla, RAV4” has several names')
  })
})

test.each([
  [
    { kind: 'category', typed: 'Glass', about: 'glass', lookupId: null },
    'Choose the category that it belongs to.',
  ],
  [
    { kind: 'manufacturer', typed: 'X', about: '', lookupId: '00000000-0000-7000-8000-000000000000' },
    'There is no such manufacturer. Choose one from the list.',
  ],
])('an answer that means nothing is refused: %j', async (wrong, sentence) => {
  const seller = await trusted()
  const { status, body } = await answer(seller, [wrong])
  expect([status, body.error]).toEqual([422, sentence])
})

test('answers belong to their yard, and need the Pro plan', async () => {
  const [one, other, free] = [await trusted(), await trusted(), await app.signUp({})]
  const lookupId = await categoryNamed('Door Glass')
  const said = { kind: 'category', typed: 'Glass', about: 'glass', lookupId }
  expect((await answer(free, [said])).status).toBe(403)
  await answer(one, [said])
  const sent = {
    file: csvOf([row(1, { Title: 'Glass', Type: 'Glass' })]),
    fields: { mapping: partMapping, idempotencyKey: newKey() },
  }
  expect((await check(one, sent)).plan).toMatchObject({ held: 0, creates: 1 })
  expect((await check(other, sent)).plan).toMatchObject({ held: 1, creates: 0 })
})

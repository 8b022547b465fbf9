import { sql } from 'kysely'
import { beforeAll, describe, expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { MappingTemplate } from '#contract/imports.ts'
import { csvOf, newKey, partMapping, partRows, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const strict = await startTestApp({ ADMIN_PREVIEW: 'off', PAYMENTS: 'off' })
const file = csvOf(partRows(2))

let pro: SignedIn
let admin: SignedIn
beforeAll(async () => {
  pro = await proSeller(app)
  admin = await app.signUp({ role: 'admin' })
})

const countImports = async () => (await app.db.selectFrom('import').select('id').execute()).length

describe('permission to bulk import', () => {
  const calls = [
    ['POST', '/pro/bulk/parts/csv'],
    ['POST', '/pro/bulk/parts'],
    ['GET', '/pro/mappings'],
    ['POST', '/pro/mappings'],
    ['DELETE', '/pro/mappings/00000000-0000-7000-8000-000000000000'],
  ] as const

  test.each(calls)(
    'a free seller is asked to upgrade before the body is read: %s %s',
    async (method, path) => {
      const free = await app.signUp()
      const answer = await free.api.send<ErrorReply>({ method, path, body: { mapping: 5 } })
      expect([answer.status, answer.body.code]).toEqual([403, 'PRO_ONLY'])
      expect(answer.body.error).toBe('Access denied (Pro feature). Please upgrade to continue.')
    },
  )

  test.each(calls)('a paid seller without payouts is sent to onboarding: %s %s', async (method, path) => {
    const paid = await app.signUp({ tier: 'PAID' })
    const answer = await paid.api.send<ErrorReply>({ method, path })
    expect([answer.status, answer.body.code]).toEqual([409, 'ONBOARDING_REQUIRED'])
  })

  test('starting onboarding is enough', async () => {
    const paid = await app.signUp({ tier: 'PAID' })
    const { sellerId } = paid.user
    await app.db
      .updateTable('seller')
      .set({ connect_status: 'IN_PROGRESS' })
      .where('id', '=', sellerId)
      .execute()
    expect((await sendCsv(paid.api, { file, dryRun: true })).status).toBe(200)
  })
})

test('where payments are off, nobody is sent to onboarding, and a free seller is still asked to upgrade', async () => {
  const paid = await strict.signUp({ tier: 'PAID' })
  expect((await sendCsv(paid.api, { file, dryRun: true })).status).toBe(200)
  expect((await sendCsv(paid.api, { file })).status).toBe(200)
  const free = await strict.signUp()
  const answer = await sendCsv<ErrorReply>(free.api, { file })
  expect([answer.status, answer.body.code]).toEqual([403, 'PRO_ONLY'])
})

describe('an administrator’s preview', () => {
  const preview = { 'x-admin-preview': '1' }

  test('can check a file but not import it', async () => {
    expect((await sendCsv(admin.api, { file, dryRun: true, headers: preview })).status).toBe(200)
    expect((await sendCsv(admin.api, { file, fields: { dryRun: '1' }, headers: preview })).status).toBe(200)
    const before = await countImports()
    const run = await sendCsv<ErrorReply>(admin.api, { file, headers: preview })
    expect([run.status, run.body.code]).toEqual([403, 'PRO_ONLY'])
    expect(await countImports()).toBe(before)
  })

  test('needs the header, the role and the setting', async () => {
    expect((await sendCsv(admin.api, { file, dryRun: true })).status).toBe(403)
    const free = await app.signUp()
    expect((await sendCsv(free.api, { file, dryRun: true, headers: preview })).status).toBe(403)
    const elsewhere = await strict.signUp({ role: 'admin' })
    expect((await sendCsv(elsewhere.api, { file, dryRun: true, headers: preview })).status).toBe(403)
    expect((await strict.visitor.get('/site')).body).toMatchObject({ adminPreview: false })
  })
})

test('a seller downgraded during an import can send no further chunk, and nothing goes live', async () => {
  const seller = await proSeller(app)
  const fields = { idempotencyKey: newKey(), chunkCount: 2 }
  expect((await sendCsv(seller.api, { file, fields: { ...fields, chunkIndex: 0 } })).status).toBe(200)
  const { sellerId } = seller.user
  await app.db.updateTable('seller').set({ tier: 'FREE' }).where('id', '=', sellerId).execute()
  const next = await sendCsv<ErrorReply>(seller.api, { file, fields: { ...fields, chunkIndex: 1 } })
  expect([next.status, next.body.code]).toEqual([403, 'PRO_ONLY'])
  const staged = await app.db
    .selectFrom('staging_file')
    .where('seller_id', '=', sellerId)
    .select('id')
    .execute()
  expect(staged).toEqual([])
  // The seller can still see what arrived.
  const list = await seller.api.get<{ items: unknown[] }>('/pro/imports')
  expect([list.status, list.body.items.length]).toEqual([200, 1])
})

describe('mapping templates', () => {
  const template = (changes: object = {}) => ({
    name: `My export ${newKey()}`,
    mapping: partMapping,
    ...changes,
  })

  test('are saved from an object or JSON text, under their field names', async () => {
    const mapping = JSON.stringify({ partname: 'Title', miles: ' Odo ', partgrade: '', partnum: null })
    const saved = await pro.api.post<MappingTemplate>(
      '/pro/mappings',
      template({ mapping, description: ' x ' }),
    )
    expect(saved.status).toBe(201)
    expect(saved.body).toMatchObject({
      scope: 'USER',
      mapping: { partname: 'Title', partmiles: 'Odo' },
      description: 'x',
    })
    const asObject = await pro.api.post<MappingTemplate>('/pro/mappings', template())
    expect(asObject.body.mapping).toEqual(partMapping)
  })

  test.each([
    [{ name: ' ' }, 'Template name is required', 'name'],
    [{ mapping: undefined }, 'Mapping JSON is required', 'mapping'],
    [{ mapping: '  ' }, 'Mapping JSON is required', 'mapping'],
    [{ mapping: { partname: '' } }, 'Mapping JSON is required', 'mapping'],
    [{ mapping: '{oops' }, 'Mapping JSON is not valid JSON', 'mapping'],
    [{ mapping: '["partname"]' }, 'Mapping JSON is not valid JSON', 'mapping'],
    [{ mapping: { partname: { a: 1 } } }, 'The mapping of Part name must be text', 'mapping'],
    [{ mapping: { partmiles: 'A', miles: 'B' } }, 'The mapping names Miles twice', 'mapping'],
  ])('are refused with an error message: %j', async (changes, sentence, field) => {
    const answer = await pro.api.post<ErrorReply>('/pro/mappings', template(changes))
    expect([answer.status, answer.body.error]).toEqual([422, sentence])
    expect(answer.body.fields).toHaveProperty(field)
  })

  test.each(['__proto__', 'constructor', 'toString', 'PartName'])('%s is not a field', async (name) => {
    const mapping = `{"${name}": "Title", "partname": "Title"}`
    const answer = await pro.api.post<ErrorReply>('/pro/mappings', template({ mapping }))
    expect(answer.status).toBe(422)
    expect(answer.body.error).toContain(`“${name}”`)
  })

  test('text that cannot be stored is refused even when escaped', async () => {
    const answer = await pro.api.post<ErrorReply>(
      '/pro/mappings',
      template({ mapping: String.raw`{"partname": "a\u0000b"}` }),
    )
    expect([answer.status, answer.body.code]).toEqual([400, 'MALFORMED'])
  })

  test('a name is unique, ignoring case and spaces, but only per seller', async () => {
    const { name } = template()
    expect((await pro.api.post('/pro/mappings', template({ name }))).status).toBe(201)
    const again = await pro.api.post<ErrorReply>(
      '/pro/mappings',
      template({ name: ` ${name.toUpperCase()} ` }),
    )
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT'])
    expect(again.body.fields).toHaveProperty('name')
    const other = await proSeller(app)
    expect((await other.api.post('/pro/mappings', template({ name }))).status).toBe(201)
  })

  test('at most 200 are saved, even when several arrive at once; deleting one makes room', async () => {
    const seller = await proSeller(app)
    const { sellerId, id: userId } = seller.user
    await sql`
      insert into mapping_template (scope, seller_id, created_by, name, mapping)
      select 'USER', ${sellerId}, ${userId}, 'Template ' || n, '{"partname": "Title"}' from generate_series(1, 198) n
    `.execute(app.db)
    const save = () => seller.api.post<MappingTemplate & ErrorReply>('/pro/mappings', template())
    const answers = await Promise.all([save(), save(), save(), save()])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422])
    const refused = answers.find(({ status }) => status === 422)
    expect([refused?.body.code, refused?.body.error]).toEqual([
      'QUOTA_REACHED',
      'At most 200 mapping templates can be saved. Delete one that is no longer used, then save this one.',
    ])
    const saved = answers.find(({ status }) => status === 201)
    await seller.api.delete(`/pro/mappings/${saved?.body.id}`)
    expect((await save()).status).toBe(201)
    expect((await pro.api.post('/pro/mappings', template())).status).toBe(201)
  })

  test('only administrators save and delete global templates; anyone else’s becomes their own', async () => {
    const forAll = await admin.api.post<MappingTemplate>('/pro/mappings', template({ scope: 'GLOBAL' }))
    const own = await pro.api.post<MappingTemplate>('/pro/mappings', template({ scope: 'GLOBAL' }))
    expect([forAll.body.scope, own.body.scope]).toEqual(['GLOBAL', 'USER'])
    const lists = await pro.api.get<{ mine: MappingTemplate[]; global: MappingTemplate[] }>('/pro/mappings')
    expect(lists.body.mine).toContainEqual(own.body)
    expect(lists.body.global).toContainEqual(forAll.body)
    expect((await pro.api.delete(`/pro/mappings/${forAll.body.id}`)).status).toBe(404)
    expect((await admin.api.delete(`/pro/mappings/${forAll.body.id}`)).body).toEqual({ ok: true })
    expect((await pro.api.get<{ global: unknown[] }>('/pro/mappings')).body.global).not.toContainEqual(
      forAll.body,
    )
  })

  test('another seller cannot see, use or delete one; its deletion is in the audit log', async () => {
    const saved = await pro.api.post<MappingTemplate>('/pro/mappings', template())
    const { id, name } = saved.body
    const other = await proSeller(app)
    expect(JSON.stringify((await other.api.get('/pro/mappings')).body)).not.toContain(id)
    const fields = { mappingId: id, mapping: undefined }
    expect((await sendCsv(other.api, { file, fields, dryRun: true })).status).toBe(422)
    expect((await other.api.delete(`/pro/mappings/${id}`)).status).toBe(404)
    expect((await admin.api.delete(`/pro/mappings/${id}`)).status).toBe(404)
    expect((await sendCsv(pro.api, { file, fields, dryRun: true })).status).toBe(200)
    expect((await pro.api.delete(`/pro/mappings/${id}`)).status).toBe(200)
    const entries = await app.db.selectFrom('audit_entry').selectAll().where('target', '=', id).execute()
    expect(entries).toMatchObject([
      { action: 'mapping-template-deleted', actor_user_id: pro.user.id, detail: { name, scope: 'USER' } },
    ])
  })
})

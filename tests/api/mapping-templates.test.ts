import { beforeAll, describe, expect, test } from 'vitest'
import { importFields } from '#contract/csv/import-fields.ts'
import type { ErrorReply } from '#contract/endpoint.ts'
import type { DryRunReply, MappingTemplate, StagedReply } from '#contract/imports.ts'
import { csvOf, newKey, proSeller, sendCsv } from '#tests/support/make-imports.ts'
import { stagedRecords } from '#tests/support/staged-rows.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp({ PRODUCT_NAME: 'Yard Market' })

let pro: SignedIn
let admin: SignedIn
let standard: MappingTemplate
let ebay: MappingTemplate
beforeAll(async () => {
  pro = await proSeller(app)
  admin = await app.signUp({ role: 'admin' })
  const { body } = await pro.api.get<{ global: MappingTemplate[] }>('/pro/mappings')
  const [first, second] = body.global
  if (!first || !second) throw new Error('no templates come with the product')
  standard = first
  ebay = second
})

const values = {
  partname: 'Alternator',
  partcategory: 'Alternator',
  partmanu: 'Ford',
  partmodel: 'F-150',
  partyear: '2014',
  partprice: '95.50',
}

/** What a check returns, or why it was refused. */
type Checked = Pick<DryRunReply, 'preview'> & Omit<ErrorReply, 'ok'>

const check = (file: string, mappingId: string, fields: object = {}) =>
  sendCsv<Checked>(pro.api, {
    file,
    fields: { mapping: undefined, mappingId, ...fields },
    dryRun: true,
  })

describe('templates that ship with the product', () => {
  test('are first among the shared ones, under the product’s name', () => {
    expect(standard).toMatchObject({ name: 'Yard Market Standard CSV v1', scope: 'GLOBAL', shipped: true })
    expect(Object.keys(standard.mapping).sort()).toEqual([...importFields].sort())
    expect(ebay).toMatchObject({ name: 'eBay Motors File Exchange / Seller Hub', shipped: true })
  })

  test('the standard template maps the columns a file has', async () => {
    const fields = { mapping: undefined, mappingId: standard.id }
    const file = csvOf([[...Object.values(values), 'R7']], [...Object.keys(values), 'bin'])
    const { status, body } = await sendCsv<StagedReply>(pro.api, { file, fields })
    expect([status, body.total, body.rejected]).toEqual([200, 1, 0])
    const [record] = await stagedRecords(app, body.importId)
    expect(record?.fields).toMatchObject({ partname: 'Alternator', partyear: '2014' })
  })

  test('a missing required column is named, unless a default covers it', async () => {
    const { partyear: _, ...others } = values
    const file = csvOf([Object.values(others)], Object.keys(others))
    const refused = await check(file, standard.id)
    expect(refused.status).toBe(422)
    expect(refused.body.error).toContain('“partyear” (Year)')
    const taken = await check(file, standard.id, { defaults: { partyear: '2014' } })
    expect(taken.body.preview).toMatchObject({ total: 1, errors: 0 })
  })

  test('all chunks of one file use the same template', async () => {
    const key = newKey()
    const send = (chunkIndex: number) =>
      sendCsv<StagedReply>(pro.api, {
        file: csvOf([Object.values({ ...values, partprice: `${90 + chunkIndex}` })], Object.keys(values)),
        fields: {
          mapping: undefined,
          mappingId: standard.id,
          idempotencyKey: key,
          chunkCount: 2,
          chunkIndex,
        },
      })
    expect((await send(0)).status).toBe(200)
    expect((await send(1)).body.total).toBe(2)
  })

  test('cannot be deleted, and their names cannot be taken for a shared template', async () => {
    for (const { api } of [pro, admin]) {
      const answer = await api.delete<ErrorReply>(`/pro/mappings/${standard.id}`)
      expect([answer.status, answer.body.code]).toEqual([409, 'CONFLICT'])
      expect(answer.body.error).toBe('This mapping template comes with the product and cannot be deleted.')
    }
    const sent = { name: 'YARD MARKET standard csv V1', scope: 'GLOBAL', mapping: { partname: 'Title' } }
    const taken = await admin.api.post<ErrorReply>('/pro/mappings', sent)
    expect([taken.status, taken.body.code]).toEqual([409, 'CONFLICT'])
    expect((await pro.api.post<MappingTemplate>('/pro/mappings', sent)).body.scope).toBe('USER')
  })
})

test('a template remembers how its files are read', async () => {
  const reading = { encoding: 'windows-1252', delimiter: ';', headerRow: 4 }
  const sent = { name: `Ours ${newKey()}`, mapping: { partname: 'Title' }, reading }
  const saved = await pro.api.post<MappingTemplate>('/pro/mappings', sent)
  expect(saved.body).toMatchObject({ reading, shipped: false })
  const { body } = await pro.api.get<{ mine: MappingTemplate[] }>('/pro/mappings')
  expect(body.mine).toContainEqual(saved.body)
  const wrong = await pro.api.post<ErrorReply>('/pro/mappings', {
    ...sent,
    name: newKey(),
    reading: { delimiter: 'ab' },
  })
  expect(wrong.status).toBe(422)
})

describe('one part as JSON', () => {
  const send = (part: object) => pro.api.post<Checked>('/pro/bulk/parts?dryRun=1', part)

  test('may name its fields as yard systems do', async () => {
    const part = {
      Title: 'Alternator',
      'Part Category': 'Alternator',
      Make: 'Ford',
      Model: 'F-150',
      Year: 2014,
      'Retail Price': 95.5,
      'Stock #': 'A-1',
      bin: 'R7',
    }
    const { body } = await pro.api.post<StagedReply>('/pro/bulk/parts', part)
    expect([body.total, body.rejected]).toEqual([1, 0])
    const [record] = await stagedRecords(app, body.importId)
    expect(record?.fields).toEqual({ ...values, partprice: '95.5', stocknum: 'A-1' })
  })

  test('a field’s own name wins over its aliases', async () => {
    const { body } = await send({ ...values, Price: 'call us' })
    expect(body.preview).toMatchObject({ total: 1, errors: 0 })
  })

  test('uses the mapping or template that the call names, like a file', async () => {
    const part = { ...values, partprice: undefined, cash: 12 }
    const mapping = {
      ...Object.fromEntries(Object.keys(values).map((name) => [name, name])),
      partprice: 'cash',
    }
    expect((await send({ ...part, mapping })).body.preview).toMatchObject({ errors: 0 })
    expect((await send({ ...values, mappingId: standard.id })).body.preview).toMatchObject({ errors: 0 })
    const lacking = await send({ ...values, mapping: { partname: 'nobody' } })
    expect([lacking.status, lacking.body.error]).toEqual([422, expect.stringContaining('“nobody”')])
  })

  test('another seller’s template is not found', async () => {
    const other = await proSeller(app)
    const saved = await other.api.post<MappingTemplate>('/pro/mappings', {
      name: 'Theirs',
      mapping: { partname: 'partname' },
    })
    const answer = await send({ ...values, mappingId: saved.body.id })
    expect([answer.status, Object.keys(answer.body.fields ?? {})]).toEqual([422, ['mappingId']])
  })
})

import { beforeAll, describe, expect, test } from 'vitest'
import type { TaxonomyResult, taxonomyEndpoints } from '#contract/admin/taxonomy.ts'
import type { Answer, ErrorReply } from '#contract/endpoint.ts'
import { undecidedPhrase } from '#server/features/stock-files/match/resolve-taxonomy.ts'
import { taxonomyKey, taxonomyQueue } from '#server/features/stock-files/stock-file-queues.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { requestCancel } from '#server/platform/jobs/control.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { currentVersion, stageFile } from '#tests/support/stage-file.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let admin: SignedIn
let seller: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
  seller = await app.signUp({ tier: 'PAID' })
})

const ADDRESS = '/admin/automation/staging/taxonomy'
const resolve = <T = TaxonomyResult>(path: string, { api }: Pick<SignedIn, 'api'> = admin) =>
  api.post<T>(ADDRESS, { root: 'ecomm', path })
const decide = <T = { ok: true; id: string; name: string }>(sent: Record<string, unknown>) =>
  admin.api.post<T>(`${ADDRESS}/decisions`, sent)
const stage = (rows: readonly Fields[], chunk?: number) =>
  stageFile(app, { sellerId: seller.user.sellerId, rows, ...(chunk && { chunk }) })

/** Named by its category's word, so that the name says no more than the word. */
const part = (fields: Fields): Fields => ({
  partname: fields.partcategory ?? 'Alternator',
  partcategory: 'Alternator',
  partmanu: 'Toyota',
  partmodel: 'Camry',
  partyear: '2010',
  partprice: '95.50',
  ...fields,
})
const namesOf = async (path: string) => {
  const { records } = await currentVersion(app, path)
  return records.map(({ fields }) => [
    fields.partcategory,
    fields.partmanu,
    fields.partmodel,
    fields.parttrim ?? null,
  ])
}

describe('POST /admin/automation/staging/taxonomy', () => {
  test('only an admin resolves, and only a file that is there', async () => {
    const { path } = await stage([part({ partmanu: 'Toyata' })])
    const answers = [await resolve(path, { api: app.visitor }), await resolve(path, seller)]
    expect(answers.map(({ status }) => status)).toEqual([401, 403])
    expect((await resolve('/nobody/nothing.json')).status).toBe(404)
    const empty = await resolve<ErrorReply>('')
    expect([empty.status, empty.body.error]).toEqual([422, 'Enter a staging file path first'])
    expect((await currentVersion(app, path)).version).toBe(1)
  })

  test('names are written as the lookups have them, in a version of their own', async () => {
    const { path } = await stage([
      part({}),
      part({ partcategory: 'Starters', partmanu: 'Chevorlet', partmodel: 'Chevy Tahoe', partyear: 2008 }),
      part({ partcategory: 'Headlamp Assy LH', partmanu: 'CHEVY', partmodel: 'Silverado1500' }),
      part({ partcategory: 'altenator', partmanu: 'Merc', partmodel: 'Grand Marquis' }),
      part({ partmodel: 'Camry LE' }),
      part({ partmanu: '', partmodel: 'Honda CRV' }),
    ])
    const { status, body } = await resolve(path)
    expect(status).toBe(200)
    expect(await namesOf(path)).toEqual([
      ['Alternator', 'Toyota', 'Camry', null],
      ['Starter Motor', 'Chevrolet', 'Tahoe', null],
      ['Headlamp Assembly', 'Chevrolet', 'Silverado 1500', null],
      ['Alternator', 'Mercury', 'Grand Marquis', null],
      ['Alternator', 'Toyota', 'Camry', 'LE'],
      ['Alternator', 'Honda', 'CR-V', null],
    ])
    expect(body.files).toMatchObject([
      { path, version: 2, contentType: 'application/json', updatedCount: 5, createdCount: 0 },
    ])
    expect(JSON.parse(body.files[0]?.contents ?? '')).toHaveLength(6)
    expect(body.createdModels).toEqual([])
    expect(body.names).toContainEqual({
      kind: 'manufacturer',
      typed: 'Chevorlet',
      manufacturerId: null,
      manufacturer: null,
      matched: 'Chevrolet',
      how: 'abbreviation',
      confidence: 0.96,
      rows: 1,
      rowsOutOfYears: 0,
    })
    const version = await app.db
      .selectFrom('staging_version')
      .innerJoin('staging_file', 'id', 'file_id')
      .select(['message', 'author_user_id', 'columns'])
      .where('path', '=', path)
      .where('staging_version.version', '=', 2)
      .executeTakeFirstOrThrow()
    expect(version).toMatchObject({ message: 'Taxonomy', author_user_id: admin.user.id })
    expect(version.columns).toContain('parttrim')
  })

  test('no name is made or asked about where the part’s own name is sure', async () => {
    const { path } = await stage([
      part({ partname: 'Engine Computer ECM', partcategory: 'Computers' }),
      part({ partname: 'Front Door Glass LH', partcategory: 'Glass' }),
    ])
    const { body } = await resolve(path)
    expect(body).toMatchObject({ createdCategories: [], unsureCount: 0, stopped: null })
    expect((await namesOf(path)).map(([category]) => category)).toEqual([
      'Engine Control Module',
      'Door Glass',
    ])
  })

  test('a second run changes nothing and makes nothing', async () => {
    const { path } = await stage([
      part({ partcategory: 'Flux Capacitor', partmanu: 'Delorean', partmodel: 'DMC-12' }),
      part({ partcategory: 'FLUX-CAPACITOR', partmanu: 'DeLorean', partmodel: 'DMC12' }),
      part({ partmanu: 'Frod', partmodel: 'F 150' }),
      part({ partcategory: 'Door' }),
    ])
    const first = await resolve(path)
    expect(first.body).toMatchObject({
      createdCategories: ['Flux Capacitor'],
      createdManufacturers: ['Delorean'],
      createdModels: [{ manufacturer: 'Delorean', name: 'DMC-12' }],
      unsureCount: 1,
    })
    const names = await namesOf(path)
    const second = await resolve(path)
    expect(second.body).toMatchObject({
      files: [{ version: 2, updatedCount: 0, rewrittenCount: 0, modifiedCount: 0, createdCount: 0 }],
      createdCategories: [],
      createdManufacturers: [],
      createdModels: [],
      unsureCount: 1,
    })
    expect(await namesOf(path)).toEqual(names)
    expect(names.slice(0, 2)).toEqual([
      ['Flux Capacitor', 'Delorean', 'DMC-12', null],
      ['Flux Capacitor', 'Delorean', 'DMC-12', null],
    ])
    const made = await app.db
      .selectFrom('category')
      .select(['name', 'confirmed'])
      .where('name', 'ilike', 'flux%capacitor')
      .execute()
    expect(made).toEqual([{ name: 'Flux Capacitor', confirmed: true }])
  })

  test('resolved by many at once: one file, and others with the same new name spelled differently', async () => {
    const spellings = ['Gyro-Scope', 'GyroScope', 'gyro scope', 'GYRO–SCOPE']
    const files = await Promise.all(spellings.map((name) => stage([part({ partcategory: name })])))
    const paths = files.flatMap(({ path }) => [path, path])
    const answers = await Promise.all(paths.map((path) => resolve(path)))
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 200))
    const created = answers.flatMap(({ body }) => body.createdCategories)
    expect(created).toHaveLength(1)
    const names = await Promise.all(files.map(({ path }) => namesOf(path)))
    expect(new Set(names.map(([row]) => row?.[0]))).toEqual(new Set(created))
  })

  test('segments without a change are shared with the version before', async () => {
    const partdescription = 'Taken off a car that ran. '.repeat(12)
    const rows = Array.from({ length: 3_000 }, (_, row) =>
      part({ partname: `Part ${row}`, partdescription, ...(row === 2_500 && { partmanu: 'Toyata' }) }),
    )
    const { path, segments } = await stage(rows, 1_000)
    const { body } = await resolve(path)
    expect(body.files[0]).toMatchObject({ version: 2, updatedCount: 1, rewrittenCount: 1, modifiedCount: 1 })
    // Above 1 MB.
    expect(body.files[0]).not.toHaveProperty('contents')
    const after = (await currentVersion(app, path)).segments
    expect(after.slice(0, 2)).toEqual(segments.slice(0, 2))
    expect(after[2]).toMatchObject({ rows: 1_000, bytes: segments[2]?.bytes })
    expect(after[2]?.sha256).not.toBe(segments[2]?.sha256)
  })

  test('an outdated version is refused', async () => {
    const { path } = await stage([part({ partmanu: 'Toyata' })])
    await resolve(path)
    const sent = { root: 'ecomm', path, version: 1 }
    const { status, body } = await admin.api.post<ErrorReply>(ADDRESS, sent)
    expect([status, body.code]).toEqual([409, 'STALE'])
    expect((await admin.api.post<TaxonomyResult>(ADDRESS, { ...sent, version: 2 })).status).toBe(200)
  })

  test('a file with too many new names makes none, and says so', async () => {
    const rows = Array.from({ length: 60 }, (_, row) =>
      part({ partcategory: `Gizmo ${'abcdefgh'[row % 8]}${row}` }),
    )
    const { path } = await stage(rows)
    const { body } = await resolve(path)
    expect(body).toMatchObject({ createdCategories: [], files: [{ createdCount: 0 }] })
    expect(body.stopped).toContain('60 names are new')
    const made = await app.db.selectFrom('category').select('id').where('name', 'like', 'Gizmo%').execute()
    expect(made).toEqual([])
  })

  test('a model of another year is reported, a mistyped one is asked about', async () => {
    const { path } = await stage([
      part({ partmanu: 'Ford', partmodel: 'Thunderbird', partyear: '1965' }),
      part({ partmanu: 'Ford', partmodel: 'Thunderbrid', partyear: '2010' }),
      part({ partmanu: 'Ford', partmodel: 'Thunderbrid', partyear: '2003' }),
    ])
    const { body } = await resolve(path)
    expect(body.names).toContainEqual(
      expect.objectContaining({ typed: 'Thunderbird', rows: 1, rowsOutOfYears: 1 }),
    )
    expect(body.unsure).toMatchObject([{ typed: 'Thunderbrid', rows: 1, manufacturer: 'Ford' }])
    expect((await namesOf(path)).map(([, , model]) => model)).toEqual([
      'Thunderbird',
      'Thunderbrid',
      'Thunderbird',
    ])
  })
})

describe('GET /admin/automation/staging/taxonomy', () => {
  const read = (path: string, { api }: Pick<SignedIn, 'api'> = admin) =>
    api.get<Answer<typeof taxonomyEndpoints.readTaxonomy>>(
      `${ADDRESS}?${new URLSearchParams({ root: 'ecomm', path })}`,
    )

  test('every admin sees a file’s last result, without names decided since', async () => {
    const { path } = await stage([
      part({ partmodel: 'Econoline', partmanu: 'Ford' }),
      part({ partmanu: 'CHEVY' }),
    ])
    expect((await read(path)).body).toEqual({ jobId: null, last: null })
    const { files, ...result } = (await resolve(path)).body
    const { last } = (await read(path)).body
    const kept = files.map(({ contents: _, ...file }) => file)
    expect(last).toEqual({
      result: { ...result, files: kept },
      madeAt: expect.any(String),
      madeBy: admin.user.name,
    })
    const [question, ...others] = result.unsure
    if (!question) throw new Error('no name is unsure')
    const { kind, typed, manufacturerId, candidates } = question
    const lookupId = candidates[0]?.id ?? null
    expect((await decide({ kind, typed, manufacturerId, lookupId })).status).toBe(200)
    expect((await read(path)).body.last?.result).toMatchObject({
      message: result.message.replace(undecidedPhrase(result.unsureCount), undecidedPhrase(others.length)),
      unsure: others,
      unsureCount: others.length,
    })
    await resolve(path)
    expect((await read(path)).body.last?.result.files[0]?.version).toBeGreaterThan(files[0]?.version ?? 0)
    expect((await read('/nobody/nothing.json')).status).toBe(404)
    expect((await read(path, seller)).status).toBe(403)
  })

  test('the job that resolves a large file is named until it has ended', async () => {
    const { path } = await stage([part({})])
    const concurrencyKey = taxonomyKey('ecomm', path)
    const payload = { root: 'ecomm' as const, path }
    const jobId = await enqueueJob(app.db, { queue: taxonomyQueue, payload, concurrencyKey })
    expect((await read(path)).body).toEqual({ jobId, last: null })
    await requestCancel(app.db, jobId)
    expect((await read(path)).body).toEqual({ jobId: null, last: null })
  })
})

describe('POST /admin/automation/staging/taxonomy/decisions', () => {
  test('a decision makes an alias', async () => {
    const { path } = await stage([part({ partcategory: 'Door' }), part({ partcategory: 'Doors' })])
    const [question] = (await resolve(path)).body.unsure
    expect(question).toMatchObject({ kind: 'category', typed: 'Door', rows: 1 })
    const front = question?.candidates.find(({ name }) => name === 'Front Door')
    const decided = await decide({ kind: 'category', typed: 'Door', lookupId: front?.id })
    expect([decided.status, decided.body]).toEqual([200, { ok: true, id: front?.id, name: 'Front Door' }])
    expect((await resolve(path)).body).toMatchObject({ files: [{ updatedCount: 2 }], unsureCount: 0 })
    expect(await namesOf(path)).toEqual([
      ['Front Door', 'Toyota', 'Camry', null],
      ['Front Door', 'Toyota', 'Camry', null],
    ])
    const open = await app.db
      .selectFrom('lookup_question')
      .select('typed')
      .where('typed', '=', 'Door')
      .execute()
    expect(open).toEqual([])
    const audit = await app.db
      .selectFrom('audit_entry')
      .select(['actor_user_id', 'detail'])
      .where('action', '=', 'name-decided')
      .where('target', '=', front?.id ?? '')
      .execute()
    expect(audit).toMatchObject([{ actor_user_id: admin.user.id, detail: { typed: 'Door', isNew: false } }])
  })

  test('or a new lookup, once', async () => {
    const sent = { kind: 'category', typed: 'Mirror', lookupId: null }
    const decided = await decide(sent)
    expect([decided.status, decided.body.name]).toEqual([200, 'Mirror'])
    const again = await decide<ErrorReply>(sent)
    expect([again.status, again.body.code]).toEqual([409, 'CONFLICT'])
    const { path } = await stage([part({ partcategory: 'mirrors' })])
    expect((await resolve(path)).body).toMatchObject({ unsureCount: 0, createdCategories: [] })
    expect((await namesOf(path))[0]?.[0]).toBe('Mirror')
  })

  describe('for a name that another lookup has', () => {
    const categoryNamed = async (name: string) =>
      (await app.db.selectFrom('category').select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
    const resolvedName = async (partcategory: string) => {
      const { path } = await stage([part({ partcategory })])
      await resolve(path)
      return (await namesOf(path))[0]?.[0]
    }

    test('an alias may be given to another lookup', async () => {
      const [starter, radiator] = [await categoryNamed('Starter Motor'), await categoryNamed('Radiator')]
      const sent = { kind: 'category', typed: 'Turnover unit' }
      expect((await decide({ ...sent, lookupId: starter })).status).toBe(200)
      expect(await resolvedName('turnover unit')).toBe('Starter Motor')
      const given = await decide({ ...sent, lookupId: radiator })
      expect([given.status, given.body.name]).toEqual([200, 'Radiator'])
      expect(await resolvedName('turnover unit')).toBe('Radiator')
    })

    test('an alias is not made a lookup of its own', async () => {
      const lookupId = await categoryNamed('Starter Motor')
      await decide({ kind: 'category', typed: 'Cranking motor', lookupId })
      const refused = await decide<ErrorReply>({ kind: 'category', typed: 'Cranking motor', lookupId: null })
      expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT'])
      expect(refused.body.fields?.typed).toContain('another name of the category “Starter Motor”')
      expect(await resolvedName('cranking motor')).toBe('Starter Motor')
    })

    test('a lookup’s own name does not become an alias of another', async () => {
      const lookupId = await categoryNamed('Starter Motor')
      const refused = await decide<ErrorReply>({ kind: 'category', typed: 'Radiator', lookupId })
      expect([refused.status, refused.body.code]).toEqual([409, 'CONFLICT'])
      expect(refused.body.fields?.typed).toContain('Merge the two instead')
      expect(await resolvedName('Radiator')).toBe('Radiator')
    })
  })

  test('a model belongs to the manufacturer that it was named with', async () => {
    const find = async (table: 'manufacturer' | 'car_model', name: string) =>
      (await app.db.selectFrom(table).select('id').where('name', '=', name).executeTakeFirstOrThrow()).id
    const [ford, toyota, camry] = [
      await find('manufacturer', 'Ford'),
      await find('manufacturer', 'Toyota'),
      await find('car_model', 'Camry'),
    ]
    const sent = { kind: 'car-model', typed: 'Cam', lookupId: camry }
    const refused = [await decide(sent), await decide({ ...sent, manufacturerId: ford })]
    expect(refused.map(({ status }) => status)).toEqual([422, 422])
    const decided = await decide({ ...sent, manufacturerId: toyota })
    expect([decided.status, decided.body.name]).toEqual([200, 'Camry'])
    const { path } = await stage([part({ partmodel: 'CAM' })])
    await resolve(path)
    expect((await namesOf(path))[0]?.[2]).toBe('Camry')
  })
})

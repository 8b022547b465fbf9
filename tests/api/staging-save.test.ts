import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { stagingEndpoints } from '#contract/admin/staging.ts'
import type { Answer, ErrorReply } from '#contract/endpoint.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { atLength } from '#tests/support/at-length.ts'
import { currentVersion, stageFile } from '#tests/support/stage-file.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

type Contents = Answer<typeof stagingEndpoints.readStagingFile>
type Saved = Answer<typeof stagingEndpoints.saveStagingFile>
type Either = Omit<Saved, 'ok'> & Omit<ErrorReply, 'ok'>

const app = await startTestApp()
let admin: SignedIn
let seller: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
  seller = await app.signUp({ tier: 'PAID' })
})

const stage = (rows: readonly Fields[], chunk?: number) =>
  stageFile(app, { sellerId: seller.user.sellerId, rows, ...(chunk && { chunk }) })

const ADDRESS = '/admin/automation/staging/file'
const read = async (path: string) => {
  const query = new URLSearchParams({ root: 'ecomm', path })
  return (await admin.api.get<Contents>(`${ADDRESS}?${query}`)).body
}
type Save = { path: string; contents: string; version?: number; message?: string }
const save = <T = Saved>(sent: Save, { api }: Pick<SignedIn, 'api'> = admin) =>
  api.put<T>(ADDRESS, { root: 'ecomm', ...sent })
const saveRows = (path: string, rows: readonly unknown[]) =>
  save({ path, contents: JSON.stringify(rows, null, 2) })
const csvOf = (path: string) => path.replace('.json', '.csv')

const part = (number: number): Fields => ({ partname: `Alternator ${number}`, partprice: '95.50' })
const parts = (count: number) => Array.from({ length: count }, (_, index) => part(index))

const auditOf = (path: string) =>
  app.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_user_id', 'detail'])
    .where('target', '=', `ecomm:${path}`)
    .execute()

describe('PUT /admin/automation/staging/file', () => {
  test('is for admins only', async () => {
    const { path } = await stage(parts(1))
    const sent = { path, contents: '[]' }
    const answers = [await save(sent, { api: app.visitor }), await save(sent, seller)]
    expect(answers.map(({ status }) => status)).toEqual([401, 403])
    expect((await read(path)).rows).toBe(1)
  })

  test('saves a new version, with who, when and why', async () => {
    const { path } = await stage(parts(2))
    const contents = JSON.stringify([part(0), { ...part(1), h1: 'Ölkühler' }])
    const { status, body } = await save({ path, contents, version: 1, message: 'Headings' })
    expect([status, body]).toEqual([
      200,
      { ok: true, root: 'ecomm', path, bytes: Buffer.byteLength(contents), version: 2 },
    ])
    expect(JSON.parse((await read(path)).contents)).toEqual(JSON.parse(contents))
    const detail = { version: 2, rows: 2, message: 'Headings' }
    expect(await auditOf(path)).toEqual([
      { action: 'staging-file-saved', actor_user_id: admin.user.id, detail },
    ])
    const versions = await app.db
      .selectFrom('staging_version')
      .innerJoin('staging_file', 'id', 'file_id')
      .select(['staging_version.version', 'message', 'author_user_id', 'rows', 'columns'])
      .where('path', '=', path)
      .orderBy('staging_version.version')
      .execute()
    const columns = ['partname', 'partprice']
    expect(versions).toEqual([
      { version: 1, message: 'Imported', author_user_id: null, rows: 2, columns },
      {
        version: 2,
        message: 'Headings',
        author_user_id: admin.user.id,
        rows: 2,
        columns: [...columns, 'h1'],
      },
    ])
  })

  test('returns the existing version for unchanged contents, as JSON, as CSV and in any layout', async () => {
    const rows = [
      { partname: '=1', partprice: 95.5, sold: false, notes: { a: [1] }, none: null },
      part(2),
      {},
    ]
    const { path } = await stage(rows, 1)
    const [json, csv] = [await read(path), await read(csvOf(path))]
    const answers = [
      await save({ path, contents: json.contents }),
      await save({ path, contents: JSON.stringify(rows) }),
      await save({ path: csvOf(path), contents: csv.contents, version: 1 }),
      await save({ path: csvOf(path), contents: `\ufeff${csv.contents.replaceAll('\r\n', '\n')}` }),
    ]
    expect(answers.map(({ status, body }) => [status, body.version])).toEqual(answers.map(() => [200, 1]))
    expect(await auditOf(path)).toEqual([])
  })

  test('keeps hidden ids and original cells of rows through edits, deletions and additions', async () => {
    const { path } = await stage(parts(5))
    const [a, , c, d, e] = parts(5)
    await saveRows(path, [a, c, { ...d, h1: 'Edited' }, e, { partname: 'By hand' }])
    const { records } = await currentVersion(app, path)
    expect(records.map(({ id, original }) => [id, original])).toEqual([
      ['0.1', ['Alternator 0', '95.50', 'not mapped']],
      ['0.3', ['Alternator 2', '95.50', 'not mapped']],
      ['0.4', ['Alternator 3', '95.50', 'not mapped']],
      ['0.5', ['Alternator 4', '95.50', 'not mapped']],
      [expect.stringMatching(/^[\da-f-]{36}$/), []],
    ])
    await saveRows(
      path,
      records.map(({ fields }, row) => ({ ...fields, h1: `Heading ${row}` })),
    )
    const again = await currentVersion(app, path)
    expect(again.version).toBe(3)
    expect(again.records.map(({ id }) => id)).toEqual(records.map(({ id }) => id))
  })

  test('shares unchanged segments between versions', async () => {
    const rows = parts(2_600)
    const { path, segments } = await stage(rows, 650)
    const edited = rows.map((row, index) => (index === 700 ? { ...row, h1: 'New' } : row))
    expect((await saveRows(path, edited)).body.version).toBe(2)
    const now = (await currentVersion(app, path)).segments
    expect(now.map(({ sha256 }, index) => sha256 === segments[index]?.sha256)).toEqual([
      true,
      false,
      true,
      true,
    ])
    const other = await stage(rows, 650)
    expect((await saveRows(other.path, rows.slice(1))).body.version).toBe(2)
    const left = (await currentVersion(app, other.path)).segments
    expect(left.map(({ rows: count }) => count)).toEqual([649, 650, 650, 650])
    expect(left.slice(1)).toEqual(segments.slice(1))
  })

  test('when two admins save the same version, one learns that the file changed', async () => {
    const { path } = await stage(parts(2))
    const other = await app.signUp({ role: 'admin' })
    const answers = await Promise.all([
      save<Either>({ path, contents: JSON.stringify([part(7)]), version: 1 }),
      save<Either>({ path, contents: JSON.stringify([part(8)]), version: 1 }, other),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    const refused = answers.find(({ status }) => status === 409)?.body
    expect([refused?.code, refused?.error]).toEqual(['STALE', expect.stringContaining('now at version 2')])
    expect((await read(path)).version).toBe(2)
  })

  test('without a version the last save wins, as its own version', async () => {
    const { path } = await stage(parts(2))
    const other = await app.signUp({ role: 'admin' })
    const answers = await Promise.all(
      [admin, other, admin, other].map((who, index) =>
        save({ path, contents: JSON.stringify([part(index)]) }, who),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(answers.map(({ body }) => body.version).toSorted()).toEqual([2, 3, 4, 5])
  })

  test('waits for a save by another process and builds on it, or is stale', async () => {
    const { path, fileId } = await stage(parts(2))
    const meanwhile = async (sent: Save) => {
      const { saving } = await app.db.transaction().execute(async (trx) => {
        await trx.selectFrom('staging_file').select('id').where('id', '=', fileId).forUpdate().execute()
        const started = save<Either>(sent)
        await new Promise((resolve) => setTimeout(resolve, 300))
        const version = (await currentVersion(app, path)).version + 1
        const next = { file_id: fileId, version, rows: 0, bytes: 0, columns: [] }
        await trx.insertInto('staging_version').values(next).execute()
        await trx.updateTable('staging_file').set({ version }).where('id', '=', fileId).execute()
        return { saving: started }
      })
      return saving
    }
    const last = await meanwhile({ path, contents: JSON.stringify([part(1)]) })
    expect([last.status, last.body.version]).toEqual([200, 3])
    const stale = await meanwhile({ path, contents: JSON.stringify([part(2)]), version: 3 })
    expect([stale.status, stale.body.code]).toEqual([409, 'STALE'])
  })

  test('creates a file for a new path, under the admin’s own seller', async () => {
    const path = '/by-hand/brakes.json'
    const { status, body } = await save({ path: 'by-hand+brakes.csv', contents: 'partname\r\nCaliper\r\n' })
    expect([status, body.path, body.version]).toEqual([200, '/by-hand/brakes.csv', 1])
    const made = await currentVersion(app, path)
    expect([made.sellerId, made.records.map(({ fields }) => fields)]).toEqual([
      admin.user.sellerId,
      [{ partname: 'Caliper' }],
    ])
    expect(await auditOf(path)).toMatchObject([{ detail: { version: 1, rows: 1, message: 'UI save' } }])
    const empty = await save({ path: '/by-hand/empty.json', contents: '[]', version: 7 })
    expect([empty.status, empty.body.version]).toEqual([200, 1])
  })

  test('makes one file with two versions when two admins create the same path', async () => {
    const path = '/by-hand/both.json'
    const answers = await Promise.all([1, 2].map((number) => saveRows(path, [part(number)])))
    expect(answers.map(({ status, body }) => [status, body.version]).toSorted()).toEqual([
      [200, 1],
      [200, 2],
    ])
  })
})

describe('saving the CSV view', () => {
  test('keeps the type of values when a column and a row are removed and others added', async () => {
    const { path } = await stage([
      { partname: '=A', partprice: 95.5, notes: { a: 1 }, stocknum: '007', sold: false },
      { partname: 'B', partprice: 10, notes: [2], stocknum: '[8]', sold: true },
      { partname: 'C' },
      { partname: 'D' },
      { partname: 'E' },
    ])
    const contents = [
      'partname,partprice,stocknum,h1,notes',
      '\'=A,96.25,008,"One, two","{""a"": 2}"',
      'B,10.00,[9],,[2]',
      'C,,,,',
      "New,1,'-2+3,,[1]",
      '',
    ].join('\r\n')
    expect((await save({ path: csvOf(path), contents })).body.version).toBe(2)
    const { records } = await currentVersion(app, path)
    expect(records.map(({ fields }) => fields)).toEqual([
      { partname: '=A', partprice: 96.25, notes: { a: 2 }, stocknum: '008', h1: 'One, two' },
      { partname: 'B', partprice: '10.00', notes: [2], stocknum: '[9]' },
      { partname: 'C' },
      { partname: 'New', partprice: '1', stocknum: '-2+3', notes: [1] },
    ])
  })

  test('changes nothing when the shown CSV is saved again, whatever the cells contain', async () => {
    const text = fc.string({ unit: fc.constantFrom(...'=+-@\t\r\n＝－\'",;019.e {}[]é'), maxLength: 6 })
    const value = fc.oneof(
      text,
      fc.double({ noNaN: true, min: -1e9, max: 1e9 }),
      fc.boolean(),
      fc.constant(null),
    )
    const nested = fc.oneof(
      value,
      fc.array(value, { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('a', 'b'), value),
    )
    const names = fc.constantFrom('partname', 'partprice', 'h1', '=x', 'toString', 'a,b')
    const rows = fc.array(fc.dictionary(names, nested, { noNullPrototype: true }), { maxLength: 4 })
    let number = 0
    await fc.assert(
      fc.asyncProperty(rows, async (made) => {
        number += 1
        const path = `/round-trip/${number}.json`
        const kept = JSON.parse(JSON.stringify(made))
        await saveRows(path, kept)
        const { contents } = await read(csvOf(path))
        // Rows without any field make no table.
        if (contents.trim() === '') return
        const unchanged = await save({ path: csvOf(path), contents })
        expect([unchanged.status, unchanged.body.version]).toEqual([200, 1])
        // In a new file every row is new: text survives through the CSV alone.
        const copy = await save({ path: `/round-trip/${number}-copy.csv`, contents })
        expect(copy.status).toBe(200)
        expect((await read(`/round-trip/${number}-copy.csv`)).contents).toBe(contents)
      }),
      { numRuns: atLength({ full: 40, brief: 12 }) },
    )
  })
})

describe('contents that cannot be saved', () => {
  const lists = (depth: number) => `[{"a": ${'['.repeat(depth)}${']'.repeat(depth)}}]`
  const fields = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, n]))

  test.each([
    ['not valid JSON at line 2, column 2: expected a comma or “]”', '[{"a": 1}\n {"b": 2}]'],
    ['not valid JSON at line 1, column 1', ''],
    ['must be a list of rows', '{"partname": "A"}'],
    ['Row 2 is a number; every row must be an object', '[{}, 3]'],
    ['Row 2 is null', '[{}, null]'],
    ['Row 1 is a list', '[[]]'],
    ['Row 1: a field has no name', '[{"": 1}]'],
    ['Row 2, field a: the text contains a character that cannot be stored', '[{}, {"a": "x\\u0000"}]'],
    ['Row 1, field a: the text contains a character', '[{"a": ["\\ud800"]}]'],
    ['Row 1, field a: the number is too long to be kept exactly', '[{"a": 12345678901234567890}]'],
    ['the number is too long to be kept exactly', '[{"a": 1e999}]'],
    ['nested more than 20 levels', lists(21)],
    ['more than 20 levels deep', lists(200_000)],
    ['at most 100000 rows', `[${'{},'.repeat(100_000)}{}]`],
    ['500 different fields', JSON.stringify([fields(501)])],
  ])('JSON: %s', async (words, contents) => {
    const { path } = await stage(parts(1))
    const { status, body } = await save<ErrorReply>({ path, contents })
    expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(body.fields?.contents).toContain(words)
    expect((await read(path)).version).toBe(1)
  })

  test.each([
    ['The file is empty', ''],
    ['Line 3: it has 3 cells, but the first line names 2 columns', 'a,b\n1,2\n1,2,3\n'],
    ['Line 4: it has 1 cells', 'a,b\n"1\n2",2\n1\n'],
    ['Line 1: there are two columns “a”', 'a,a\n'],
    ['Line 1: column 2 has no name', 'a,\n'],
    ['not valid CSV', 'a\n"x'],
    ['not valid CSV at line 2', 'a\nx"y\n'],
  ])('CSV: %s', async (words, contents) => {
    const { path } = await stage(parts(1))
    const { status, body } = await save<ErrorReply>({ path: csvOf(path), contents })
    expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(body.fields?.contents).toContain(words)
  })

  test('saves 8 MB and returns 413 for more', async () => {
    const rows = (count: number) => JSON.stringify([{ a: '"'.repeat(count / 2 - 10) }])
    const most = 8 * 1024 * 1024
    expect((await save({ path: '/large/a.json', contents: rows(most) })).status).toBe(200)
    for (const contents of [rows(most + 100), 'x'.repeat(3 * most)]) {
      const { status, body } = await save<ErrorReply>({ path: '/large/b.json', contents })
      expect([status, body.code]).toEqual([413, 'TOO_LARGE'])
      expect(body.error).toContain('8 MB')
    }
  })

  test('a file that cannot be shown whole is not replaced by a part of it', async () => {
    const rows = Array.from({ length: 90 }, (_, index) => ({
      partname: `${index}`,
      notes: 'x'.repeat(100_000),
    }))
    const { path } = await stage(rows, 30)
    const { status, body } = await save<ErrorReply>({ path, contents: JSON.stringify(rows.slice(0, 2)) })
    expect([status, body.code]).toEqual([413, 'TOO_LARGE'])
    expect((await currentVersion(app, path)).records).toHaveLength(90)
  })

  test.each(['/../x.json', '/x/%2e%2e/y.json', '/x.txt', '/etc/x.json', 'C:\\x.json'])(
    'refuses the path %j',
    async (path) => {
      const { status, body } = await save<ErrorReply>({ path, contents: '[]' })
      expect([status, Object.keys(body.fields ?? {})]).toEqual([422, ['path']])
    },
  )

  test('a missing path and missing contents are reported', async () => {
    const nothing = await admin.api.put<ErrorReply>(ADDRESS, { root: 'ecomm', path: ' ' })
    expect([nothing.status, nothing.body.fields]).toEqual([
      422,
      { path: 'Enter a staging file path first', contents: 'The contents are missing' },
    ])
  })
})

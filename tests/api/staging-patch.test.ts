import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Fields, StagedRecord } from '#server/features/stock-files/store/staged-record.ts'
import { atLength } from '#tests/support/at-length.ts'
import { currentVersion, stageFile } from '#tests/support/stage-file.ts'
import { type Cell, type Row, type SentPatch, stagingDesk } from '#tests/support/staging-desk.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let admin: SignedIn
let seller: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
  seller = await app.signUp()
})

const part = (number: number): Fields => ({ partname: `Alternator ${number}`, partprice: '95.50' })
const parts = (count: number) => Array.from({ length: count }, (_, index) => part(index))
const stage = (rows: readonly Fields[], chunk?: number) =>
  stageFile(app, { sellerId: seller.user.sellerId, rows, ...(chunk && { chunk }) })
const patch = (sent: SentPatch, by = admin) => stagingDesk(by.api).patch(sent)
const contentOf = async (path: string) =>
  (await currentVersion(app, path)).records.map(({ id, fields }) => [id, fields])

const auditOf = (path: string) =>
  app.db
    .selectFrom('audit_entry')
    .select(['action', 'actor_user_id', 'detail'])
    .where('target', '=', `ecomm:${path}`)
    .execute()

describe('POST /admin/automation/staging/patch', () => {
  test('is for admins only', async () => {
    const { path } = await stage(parts(1))
    const sent = { path, version: 1, addRows: [part(9)] }
    const answers = [await stagingDesk(app.visitor).patch(sent), await patch(sent, seller)]
    expect(answers.map(({ status }) => status)).toEqual([401, 403])
    expect((await currentVersion(app, path)).version).toBe(1)
  })

  test('saves edited cells, new rows and deleted rows as one version, with who, when and why', async () => {
    const { path } = await stage(parts(4))
    const { status, body } = await patch({
      path,
      version: 1,
      message: 'Headings',
      cells: [
        { id: '0.1', row: 0, field: 'h1', new: 'Ölkühler' },
        { id: '0.2', field: 'partprice', old: '95.50', new: 80 },
        { id: '0.2', field: 'partname', old: 'Alternator 1' },
      ],
      deleteRows: [{ id: '0.3' }],
      addRows: [{ partname: 'By hand', notes: { a: [1, null] } }],
    })
    expect([status, body]).toEqual([200, { ok: true, root: 'ecomm', path, version: 2, rows: 4 }])
    const { records } = await currentVersion(app, path)
    expect(records.map(({ id, fields }) => [id, fields])).toEqual([
      ['0.1', { ...part(0), h1: 'Ölkühler' }],
      ['0.2', { partprice: 80 }],
      ['0.4', part(3)],
      [expect.stringMatching(/^[\da-f-]{36}$/), { partname: 'By hand', notes: { a: [1, null] } }],
    ])
    expect(records[0]?.original).toEqual(['Alternator 0', '95.50', 'not mapped'])
    expect(await auditOf(path)).toEqual([
      {
        action: 'staging-file-saved',
        actor_user_id: admin.user.id,
        detail: { version: 2, rows: 4, message: 'Headings' },
      },
    ])
    const { columns } = (await stagingDesk(admin.api).window({ path })).body
    expect(columns.toSorted()).toEqual(['h1', 'notes', 'partname', 'partprice'])
  })

  test('stores only the segments that changed', async () => {
    const { path, segments } = await stage(parts(500), 100)
    await patch({ path, version: 1, cells: [{ id: '2.7', field: 'h1', new: 'Changed' }] })
    const after = (await currentVersion(app, path)).segments
    expect(after.map(({ sha256 }, at) => sha256 === segments[at]?.sha256)).toEqual([
      true,
      true,
      false,
      true,
      true,
    ])
  })

  test('ignores a wrong position hint, because the id decides', async () => {
    const { path } = await stage(parts(300), 100)
    await patch({
      path,
      version: 1,
      cells: [{ id: '2.7', row: 5, field: 'h1', new: 'Changed' }],
      deleteRows: [{ id: '0.1', row: 9_999_999 }],
    })
    const { records } = await currentVersion(app, path)
    expect(records).toHaveLength(299)
    expect(records.flatMap(({ id, fields }) => (fields.h1 ? [id] : []))).toEqual(['2.7'])
  })

  test('leaves an empty file when the last row is deleted, and rows can be added again', async () => {
    const { path } = await stage(parts(1))
    expect((await patch({ path, version: 1, deleteRows: [{ id: '0.1' }] })).body).toMatchObject({ rows: 0 })
    expect((await patch({ path, version: 2, addRows: [part(1)] })).body).toMatchObject({
      rows: 1,
      version: 3,
    })
    expect((await currentVersion(app, path)).records.map(({ fields }) => fields)).toEqual([part(1)])
  })

  test('adds rows one by one without creating tiny segments', async () => {
    const { path } = await stage(parts(3))
    for (const version of [1, 2, 3]) await patch({ path, version, addRows: [part(10 + version)] })
    const { segments, records } = await currentVersion(app, path)
    expect(segments).toHaveLength(1)
    expect(records.map(({ fields }) => fields)).toEqual([...parts(3), part(11), part(12), part(13)])
  })

  test('makes no version when nothing changes', async () => {
    const { path } = await stage(parts(2))
    const same = { id: '0.1', field: 'partprice', old: '95.50', new: '95.50' }
    const empty = { id: '0.2', field: 'h1', old: null }
    expect((await patch({ path, version: 1, cells: [same, empty] })).body).toMatchObject({ version: 1 })
    expect((await patch({ path, version: 1 })).body).toMatchObject({ version: 1, rows: 2 })
    expect(await auditOf(path)).toEqual([])
  })

  test('names a cell that changed since it was read, shows its value, and saves nothing', async () => {
    const { path } = await stage(parts(3))
    const { status, body } = await patch({
      path,
      version: 1,
      cells: [
        { id: '0.1', field: 'h1', new: 'Lost' },
        { id: '0.3', field: 'partprice', old: '80', new: '70' },
      ],
    })
    const error = 'Row 3: partprice is “95.50” now, not “80”. Load the file again and repeat your change.'
    expect([status, body.code, body.error, body.fields]).toEqual([409, 'STALE', error, { partprice: error }])
    expect(await contentOf(path)).toEqual(parts(3).map((fields, index) => [`0.${index + 1}`, fields]))
  })

  test('when two admins patch one version, the second must compare, and can', async () => {
    const other = await app.signUp({ role: 'admin' })
    const { path } = await stage(parts(3))
    const cell = (id: string, value: string) => [{ id, field: 'partprice', old: '95.50', new: value }]
    expect((await patch({ path, version: 1, cells: cell('0.1', '80') })).status).toBe(200)
    const refused = await patch({ path, version: 1, cells: cell('0.2', '70') }, other)
    expect([refused.status, refused.body.code, refused.body.error]).toEqual([
      409,
      'STALE',
      'The file was changed by someone else since you loaded it: it is now at version 2, you have version 1. Compare the two versions, then load the file again and repeat your change.',
    ])
    const { body: diff } = await stagingDesk(other.api).diff({ path, from: 1, to: 2 })
    expect(diff.rows).toEqual([
      { id: '0.1', kind: 'changed', row: 0, before: { partprice: '95.50' }, after: { partprice: '80' } },
    ])
    expect((await patch({ path, version: 2, cells: cell('0.2', '70') }, other)).body).toMatchObject({
      version: 3,
    })
  })

  test('when two admins patch at the same moment, one wins and the other gets a conflict', async () => {
    const { path } = await stage(parts(50))
    const both = ['0.1', '0.2', '0.3', '0.4'].map((id) =>
      patch({ path, version: 1, cells: [{ id, field: 'h1', new: id }] }),
    )
    const statuses = (await Promise.all(both)).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 409, 409, 409])
    const { records, version } = await currentVersion(app, path)
    expect([version, records.filter(({ fields }) => fields.h1).length]).toEqual([2, 1])
  })

  test.each([
    [
      { cells: [{ id: 'nobody', field: 'h1', new: 'x' }] },
      'There is no row with the id "nobody" in this file. Load the file again.',
    ],
    [
      { deleteRows: [{ id: 'nobody' }] },
      'There is no row with the id "nobody" in this file. Load the file again.',
    ],
    [{ cells: [{ id: '0.1', row: 0, field: ' ', new: 'x' }] }, 'Row 1: a field has no name.'],
    [
      { cells: [{ id: '0.1', field: 'h1', new: 1e300 }] },
      'Cell 1, field h1: the number is too long to be kept exactly. Put it in quotation marks.',
    ],
    [
      { addRows: [{}, { [`x${'y'.repeat(200)}`]: 1 }] },
      'New row 2: a field has a name longer than 200 characters.',
    ],
    [
      { addRows: [Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`c${at}`, 1]))] },
      'A file can have at most 500 different fields.',
    ],
  ])('rejects %j: %s', async (sent, error) => {
    const { path } = await stage(parts(2))
    const { status, body } = await patch({ path, version: 1, ...sent })
    expect([status, body.code, body.error]).toEqual([422, 'VALIDATION_FAILED', error])
    expect((await currentVersion(app, path)).version).toBe(1)
  })

  test('reports a file that does not exist', async () => {
    const { status, body } = await patch({ path: '/nobody/a.json', version: 1 })
    expect([status, body.error]).toEqual([404, 'There is no staged file /nobody/a.json in ecomm.'])
  })

  test('treats a field named __proto__ as a field', async () => {
    const { path } = await stage(parts(1))
    await patch({ path, version: 1, cells: [{ id: '0.1', field: '__proto__', new: 'x' }] })
    const [record] = (await currentVersion(app, path)).records
    expect(Object.entries(record?.fields ?? {})).toEqual([...Object.entries(part(0)), ['__proto__', 'x']])
  })

  test('patching windows gives the same result as a whole-file edit', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(rounds, fc.integer({ min: 1, max: 40 }), async (edits, chunk) => {
        const { path } = await stage(parts(40), chunk)
        for (const round of edits) {
          const { version, records } = await currentVersion(app, path)
          const { sent, expected } = editBoth(records, round)
          const { status, body } = await patch({ path, version, ...sent })
          expect([status, body.rows]).toEqual([200, expected.length])
          expect((await currentVersion(app, path)).records.map(({ fields }) => fields)).toEqual(expected)
        }
      }),
      { numRuns: atLength({ full: 20, brief: 6 }) },
    )
  })
})

const value = fc.oneof(
  fc.string({ maxLength: 5 }),
  fc.integer(),
  fc.constant(undefined),
  fc.array(fc.boolean(), { maxLength: 2 }),
)
const field = fc.constantFrom('partname', 'partprice', 'h1', 'notes')
const hinted = fc.boolean()
const edit = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('cell' as const), at: fc.nat(39), hinted, field, value }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), at: fc.nat(39), hinted }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('add' as const), value }) },
)
const rounds = fc.array(fc.array(edit, { maxLength: 12 }), { minLength: 1, maxLength: 3 })
type Edit = typeof edit extends fc.Arbitrary<infer E> ? E : never

/** The same edits as a patch and applied to the whole file. */
function editBoth(records: readonly StagedRecord[], edits: readonly Edit[]) {
  const sent = { cells: [] as Cell[], deleteRows: [] as Row[], addRows: [] as Record<string, unknown>[] }
  const whole = records.map(({ fields }) => new Map<string, unknown>(Object.entries(fields)))
  const gone = new Set<number>()
  for (const each of edits) {
    if (each.kind === 'add') {
      sent.addRows.push(each.value === undefined ? {} : { h1: each.value })
      continue
    }
    const at = each.at % Math.max(1, records.length)
    const record = records[at]
    if (!record) continue
    const row = { id: record.id, ...(each.hinted && { row: at }) }
    if (each.kind === 'delete') {
      sent.deleteRows.push(row)
      gone.add(at)
      continue
    }
    const cells = whole[at] as Map<string, unknown>
    sent.cells.push({ ...row, field: each.field, old: cells.get(each.field), new: each.value })
    if (each.value === undefined) cells.delete(each.field)
    else cells.set(each.field, each.value)
  }
  const left = whole.filter((_, at) => !gone.has(at)).map((cells) => Object.fromEntries(cells))
  return { sent, expected: [...left, ...sent.addRows] }
}

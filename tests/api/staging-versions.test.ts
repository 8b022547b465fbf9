import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import type { RowDifference } from '#contract/admin/staging.ts'
import { findDifferences } from '#server/features/stock-files/store/differences.ts'
import { openSegmentWriter } from '#server/features/stock-files/store/segments.ts'
import { listSegments } from '#server/features/stock-files/store/staged-files.ts'
import { type Fields, toSegmentLine } from '#server/features/stock-files/store/staged-record.ts'
import { atLength } from '#tests/support/at-length.ts'
import { currentVersion, stageFile } from '#tests/support/stage-file.ts'
import { stagingDesk } from '#tests/support/staging-desk.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
let admin: SignedIn
let seller: SignedIn
let desk: ReturnType<typeof stagingDesk>
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
  seller = await app.signUp()
  desk = stagingDesk(admin.api)
})

const part = (number: number): Fields => ({ partname: `Alternator ${number}`, partprice: '95.50' })
const parts = (count: number) => Array.from({ length: count }, (_, index) => part(index))
const stage = (rows: readonly Fields[], chunk?: number) =>
  stageFile(app, { sellerId: seller.user.sellerId, rows, ...(chunk && { chunk }) })
const heading = (id: string, text: string) => ({ id, field: 'h1', new: text })

describe('GET /admin/automation/staging/rows', () => {
  test('returns a window in the middle with hidden ids, of the newest version and of an earlier one', async () => {
    const { path } = await stage(parts(50), 20)
    await desk.patch({ path, version: 1, cells: [heading('1.3', 'New')] })
    const { status, body } = await desk.window({ path, from: 21, limit: 2 })
    expect([status, body]).toEqual([
      200,
      {
        root: 'ecomm',
        path,
        version: 2,
        total: 50,
        from: 21,
        columns: expect.arrayContaining(['partname', 'partprice', 'h1']),
        rows: [
          { id: '1.2', fields: part(21) },
          { id: '1.3', fields: { ...part(22), h1: 'New' } },
        ],
      },
    ])
    const { body: earlier } = await desk.window({ path, version: 1, from: 22, limit: 1 })
    expect([earlier.version, earlier.columns, earlier.rows]).toEqual([
      1,
      ['partname', 'partprice'],
      [{ id: '1.3', fields: part(22) }],
    ])
  })

  test('returns nothing past the end, and the CSV’s name gives the same rows', async () => {
    const { path } = await stage(parts(3))
    expect((await desk.window({ path, from: 3 })).body).toMatchObject({ total: 3, rows: [] })
    const csv = path.replace('.json', '.csv')
    expect((await desk.window({ path: csv, from: 2 })).body).toMatchObject({
      path: csv,
      rows: [{ id: '0.3' }],
    })
  })

  test('does not read segments outside the window', async () => {
    const { path, segments } = await stage(parts(60), 20)
    for (const at of [0, 2]) await app.files.delete(keyOf(segments[at]?.sha256 ?? ''))
    expect((await desk.window({ path, from: 20, limit: 20 })).body.rows).toHaveLength(20)
  })

  test('cuts off rows that exceed one reply, but never all of them', async () => {
    const { path } = await stage(Array.from({ length: 3 }, () => ({ notes: 'x'.repeat(3_500_000) })))
    const { body } = await desk.window({ path, limit: 3 })
    expect([body.total, body.rows.length]).toEqual([3, 2])
  })

  test.each([
    [{ path: '/nobody/a.json' }, 404, 'There is no staged file /nobody/a.json in ecomm.'],
    [{ path: '' }, 422, 'Enter a staging file path first'],
  ])('rejects %j', async (query, status, error) => {
    const answer = await desk.window(query)
    expect([answer.status, answer.body.error]).toEqual([status, error])
  })

  test('reports a version that does not exist', async () => {
    const { path } = await stage(parts(1))
    const { status, body } = await desk.window({ path, version: 7 })
    expect([status, body.error]).toEqual([404, `${path} has no version 7; its versions are 1 to 1.`])
  })
})

describe('GET /admin/automation/staging/versions', () => {
  test('lists the newest first, with who and why', async () => {
    const { path } = await stage(parts(2))
    await desk.patch({ path, version: 1, cells: [heading('0.1', 'New')] })
    await desk.patch({ path, version: 2, deleteRows: [{ id: '0.2' }], message: 'Scrap' })
    const { status, body } = await desk.versions({ path })
    expect([status, body.path]).toEqual([200, path])
    const createdAt = expect.stringMatching(/^\d{4}-.*Z$/)
    expect(body.items).toEqual([
      {
        version: 3,
        author: admin.user.name,
        message: 'Scrap',
        rows: 1,
        bytes: expect.any(Number),
        createdAt,
      },
      {
        version: 2,
        author: admin.user.name,
        message: 'UI save',
        rows: 2,
        bytes: expect.any(Number),
        createdAt,
      },
      { version: 1, author: null, message: 'Imported', rows: 2, bytes: expect.any(Number), createdAt },
    ])
  })

  test('reports a file that does not exist', async () => {
    expect((await desk.versions({ path: '/nobody/a.json' })).status).toBe(404)
  })
})

describe('GET /admin/automation/staging/diff', () => {
  test('shows changed, added and removed rows, with only the fields that differ', async () => {
    const { path } = await stage(parts(5), 2)
    await desk.patch({
      path,
      version: 1,
      cells: [
        { id: '0.2', field: 'partprice', old: '95.50', new: 80 },
        { id: '1.2', field: 'partprice', old: '95.50' },
      ],
      deleteRows: [{ id: '1.1' }],
      addRows: [{ partname: 'By hand' }],
    })
    const { status, body } = await desk.diff({ path, from: 1, to: 2 })
    expect(status).toBe(200)
    expect(body).toEqual({
      from: 1,
      to: 2,
      added: 1,
      removed: 1,
      changed: 2,
      rows: [
        { id: '0.2', kind: 'changed', row: 1, before: { partprice: '95.50' }, after: { partprice: 80 } },
        { id: '1.1', kind: 'removed', row: 2, before: part(2), after: null },
        { id: '1.2', kind: 'changed', row: 2, before: { partprice: '95.50' }, after: {} },
        { id: expect.any(String), kind: 'added', row: 4, before: null, after: { partname: 'By hand' } },
      ],
      nextCursor: null,
    })
    const { body: back } = await desk.diff({ path, from: 2, to: 1 })
    expect([back.added, back.removed, back.changed]).toEqual([1, 1, 2])
  })

  test('pages without skipping or repeating anything', async () => {
    const { path } = await stage(parts(45), 10)
    const cells = Array.from({ length: 45 }, (_, at) =>
      heading(`${Math.floor(at / 10)}.${(at % 10) + 1}`, 'x'),
    )
    await desk.patch({ path, version: 1, cells })
    const found: RowDifference[] = []
    let cursor: string | undefined
    do {
      const { body } = await desk.diff({ path, from: 1, to: 2, limit: 20, cursor })
      expect(body.changed).toBe(45)
      found.push(...body.rows)
      cursor = body.nextCursor ?? undefined
    } while (cursor)
    expect(found.map(({ row }) => row)).toEqual(Array.from({ length: 45 }, (_, at) => at))
  })

  test('does not read segments that both versions share', async () => {
    const { path, segments } = await stage(parts(60), 20)
    await desk.patch({ path, version: 1, cells: [heading('1.1', 'x')] })
    for (const at of [0, 2]) await app.files.delete(keyOf(segments[at]?.sha256 ?? ''))
    expect((await desk.diff({ path, from: 1, to: 2 })).body).toMatchObject({
      changed: 1,
      added: 0,
      removed: 0,
    })
  })

  test('handles a version against itself, a missing version and another user’s cursor', async () => {
    const { path } = await stage(parts(1))
    expect((await desk.diff({ path, from: 1, to: 1 })).body).toMatchObject({ rows: [], changed: 0 })
    const missing = await desk.diff({ path, from: 1, to: 2 })
    expect([missing.status, missing.body.error]).toEqual([
      404,
      `${path} has no version 2; its versions are 1 to 1.`,
    ])
    expect((await desk.diff({ path, from: 1, to: 1, cursor: 'abc' })).status).toBe(400)
  })

  test('finds what a comparison of all rows finds, however rows moved between segments', async () => {
    const version = fc.uniqueArray(fc.record({ id: fc.nat(40), h1: fc.nat(2) }), {
      maxLength: 30,
      selector: ({ id }) => id,
    })
    const cuts = fc.integer({ min: 1, max: 12 })
    await fc.assert(
      fc.asyncProperty(version, version, cuts, async (before, after, rows) => {
        const [old, young] = [await store(before, rows), await store(after, rows)]
        const found = await findDifferences(app.files, old, young)
        expect(found.slice(0, found.length)).toEqual(allDifferences(before, after))
      }),
      { numRuns: atLength({ full: 150, brief: 50 }) },
    )
  })
})

describe('POST /admin/automation/staging/restore', () => {
  test('makes an earlier version the newest, shares its segments, and keeps the one in between', async () => {
    const { path, segments, fileId } = await stage(parts(40), 20)
    await desk.patch({ path, version: 1, cells: [heading('1.1', 'Wrong')], addRows: [part(99)] })
    const { status, body } = await desk.restore({ path, version: 1, current: 2 })
    expect([status, body]).toEqual([200, { ok: true, root: 'ecomm', path, version: 3 }])
    expect((await currentVersion(app, path)).segments).toEqual(segments)
    expect(await listSegments(app.db, fileId, 2)).not.toEqual(segments)
    const [newest] = (await desk.versions({ path })).body.items
    expect(newest).toMatchObject({ message: 'Restored version 1', author: admin.user.name, rows: 40 })
    expect((await desk.window({ path })).body.columns).toEqual(['partname', 'partprice'])
    const audit = await app.db
      .selectFrom('audit_entry')
      .select(['action', 'detail'])
      .where('target', '=', `ecomm:${path}`)
      .orderBy('at', 'desc')
      .limit(1)
      .execute()
    expect(audit).toEqual([
      { action: 'staging-file-saved', detail: { version: 3, rows: 40, message: 'Restored version 1' } },
    ])
  })

  test('makes no version when the newest has the same contents', async () => {
    const { path } = await stage(parts(2))
    expect((await desk.restore({ path, version: 1, current: 1 })).body).toMatchObject({ version: 1 })
  })

  test('is refused after another admin saved, and the two versions can be compared', async () => {
    const { path } = await stage(parts(2))
    for (const version of [1, 2]) {
      await desk.patch({
        path,
        version,
        cells: [{ ...heading('0.1', `${version}`), old: version === 1 ? undefined : '1' }],
      })
    }
    const { status, body } = await desk.restore({ path, version: 1, current: 2 })
    expect([status, body.code]).toEqual([409, 'STALE'])
    expect(body.error).toMatch(
      /^The file was changed by someone else since you loaded it: it is now at version 3/,
    )
    expect((await currentVersion(app, path)).version).toBe(3)
  })

  test('reports a missing version', async () => {
    const { path } = await stage(parts(1))
    expect((await desk.restore({ path, version: 4, current: 1 })).status).toBe(404)
  })
})

const keyOf = (sha256: string) => `segments/${sha256.slice(0, 2)}/${sha256}.ndjson.gz`

type Row = { id: number; h1: number }

async function store(rows: readonly Row[], atOnce: number) {
  const segments = []
  for (let from = 0; from < rows.length; from += atOnce) {
    const writer = openSegmentWriter(app.files)
    for (const { id, h1 } of rows.slice(from, from + atOnce)) {
      const { line, bytes } = toSegmentLine({ id: `${id}`, fields: { h1 }, original: [] })
      await writer.add(line, bytes)
    }
    segments.push(...(await writer.finish()))
  }
  return segments
}

function allDifferences(before: readonly Row[], after: readonly Row[]) {
  const place = (rows: readonly Row[], id: number) => rows.findIndex((row) => row.id === id)
  const come = after.flatMap(({ id, h1 }, at) => {
    const was = place(before, id)
    return before[was]?.h1 === h1 ? [] : [{ before: was, after: at }]
  })
  const gone = before.flatMap(({ id }, at) => (place(after, id) < 0 ? [{ before: at, after: -1 }] : []))
  const key = (row: { before: number; after: number }) => (row.after < 0 ? row.before : row.after)
  return [...come, ...gone].sort((one, other) => key(one) - key(other) || one.after - other.after)
}

import { parse } from 'csv-parse/sync'
import { beforeAll, describe, expect, test } from 'vitest'
import type { stagingEndpoints } from '#contract/admin/staging.ts'
import { importFields } from '#contract/csv/import-fields.ts'
import type { Answer, ErrorReply } from '#contract/endpoint.ts'
import type { Fields } from '#server/features/stock-files/store/staged-record.ts'
import { stageFile } from '#tests/support/stage-file.ts'
import { type SignedIn, startTestApp } from '#tests/support/test-app.ts'

type Contents = Answer<typeof stagingEndpoints.readStagingFile>

const app = await startTestApp({ STAGING_ALLOWED_PREFIXES: '/srv/staging' })
let admin: SignedIn
let seller: SignedIn
beforeAll(async () => {
  admin = await app.signUp({ role: 'admin' })
  seller = await app.signUp({ tier: 'PAID' })
})

const stage = (rows: readonly Fields[], changes: { path?: string; chunk?: number } = {}) =>
  stageFile(app, { sellerId: seller.user.sellerId, rows, ...changes })

const read = <T = Contents>(query: Record<string, string | number>, { api }: Pick<SignedIn, 'api'> = admin) =>
  api.get<T>(
    `/admin/automation/staging/file?${new URLSearchParams({ root: 'ecomm', ...strings(query) }).toString()}`,
  )
const strings = (query: Record<string, string | number>) =>
  Object.fromEntries(Object.entries(query).map(([name, value]) => [name, String(value)]))

const part = (number: number): Fields => ({
  partname: `Alternator ${number}`,
  partmanu: 'Toyota',
  partyear: '2014',
  partprice: '95.50',
})
const parts = (count: number) => Array.from({ length: count }, (_, index) => part(index))

describe('GET /admin/automation/staging/file', () => {
  test('is for admins only', async () => {
    const { path } = await stage(parts(1))
    const answers = [
      await read({ path }, { api: app.visitor }),
      await read({ path }, seller),
      await read({ path }),
    ]
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 200])
  })

  test('returns JSON: a list of rows keyed by field, indented two spaces, without hidden ids and original cells', async () => {
    const rows = [...parts(2), { partname: 'Ölwanne „neu“\n2', notes: { a: [1, null] } }, {}]
    const { path } = await stage(rows)
    const { status, body } = await read({ path })
    expect([status, body]).toEqual([
      200,
      {
        root: 'ecomm',
        path,
        contentType: 'application/json',
        contents: JSON.stringify(rows, null, 2),
        version: 1,
        rows: 4,
      },
    ])
  })

  test('returns CSV: target fields first, nested values as JSON, RFC 4180', async () => {
    const { path } = await stage([
      { h1: 'Seite "eins", neu', partprice: 95.5, partname: 'Hose,\nupper' },
      { partname: 'Mirror', notes: { a: [1] }, imageUrl: 'https://x.example/1.jpg', partgrade: null },
    ])
    const { body } = await read({ path: path.replace('.json', '.csv') })
    expect([body.path, body.contentType]).toEqual([path.replace('.json', '.csv'), 'text/csv'])
    expect(body.contents).toBe(
      [
        'imageUrl,partname,partgrade,partprice,h1,notes',
        ',"Hose,\nupper",,95.5,"Seite ""eins"", neu",',
        'https://x.example/1.jpg,Mirror,,,,"{""a"":[1]}"',
        '',
      ].join('\r\n'),
    )
    expect(importFields.indexOf('imageUrl')).toBeLessThan(importFields.indexOf('partname'))
  })

  test('prefixes a cell that a spreadsheet would read as a formula with an apostrophe, but not a negative number', async () => {
    const values = [
      '=1+1',
      '+1 555 0100',
      '@x',
      '\tx',
      '\rx',
      '\nx',
      '－1',
      '-1+2',
      "'=x",
      '-5',
      '-0.5',
      'plain',
    ]
    const { path } = await stage(values.map((partname) => ({ partname })))
    const { body } = await read({ path: path.replace('.json', '.csv') })
    const cells = parse(body.contents, { record_delimiter: '\r\n', from: 2 }).flat()
    expect(cells).toEqual([
      ...["'=1+1", "'+1 555 0100", "'@x", "'\tx", "'\rx", "'\nx", "'－1", "'-1+2", "''=x"],
      ...['-5', '-0.5', 'plain'],
    ])
  })

  test('returns a file without rows', async () => {
    const { path } = await stage([])
    const [json, csv] = [await read({ path }), await read({ path: path.replace('.json', '.csv') })]
    expect([json.body.contents, json.body.rows, csv.body.contents]).toEqual(['[]', 0, ''])
  })

  test('returns windows across segment boundaries with the same columns everywhere', async () => {
    const rows = parts(250).map((row, index) => (index === 249 ? { ...row, h1: 'Last' } : row))
    const { path } = await stage(rows, { chunk: 100 })
    const window = async (query: object) => JSON.parse((await read({ path, ...query })).body.contents)
    expect(await window({ from: 95, limit: 10 })).toEqual(rows.slice(95, 105))
    expect(await window({ from: 100, limit: 100 })).toEqual(rows.slice(100, 200))
    expect(await window({ from: 240, limit: 1000 })).toEqual(rows.slice(240))
    expect(await window({ from: 240 })).toEqual(rows.slice(240))
    expect(await window({ limit: 3 })).toEqual(rows.slice(0, 3))
    expect(await window({ from: 250 })).toEqual([])
    const csv = await read({ path: path.replace('.json', '.csv'), from: 0, limit: 1 })
    expect(csv.body).toMatchObject({
      contents: 'partname,partmanu,partyear,partprice,h1\r\nAlternator 0,Toyota,2014,95.50,\r\n',
      rows: 250,
      from: 0,
    })
  })

  test('reads only the segments a window touches', async () => {
    const { path, segments } = await stage(parts(30), { chunk: 10 })
    const sha256 = segments[0]?.sha256 ?? ''
    await app.files.delete(`segments/${sha256.slice(0, 2)}/${sha256}.ndjson.gz`)
    expect((await read({ path, from: 10, limit: 20 })).status).toBe(200)
    expect((await read({ path, from: 9, limit: 1 })).status).toBe(500)
  })

  test('returns 413 above 8 MB and says what to do; windows can still be read', async () => {
    const rows = Array.from({ length: 90 }, (_, index) => ({
      partname: `${index}`,
      notes: 'x'.repeat(100_000),
    }))
    const { path } = await stage(rows, { chunk: 30 })
    for (const asked of [path, path.replace('.json', '.csv')]) {
      const { status, body } = await read<ErrorReply>({ path: asked })
      expect([status, body.code]).toEqual([413, 'TOO_LARGE'])
      expect(body.error).toContain('from and limit')
    }
    const window = await read({ path, from: 89, limit: 1 })
    expect(JSON.parse(window.body.contents)).toEqual(rows.slice(89))
    expect((await read({ path, from: 0, limit: 90 })).status).toBe(413)
  })

  test('measures the text of a view, even where it is longer than the rows', async () => {
    const rows = Array.from({ length: 500 }, () => ({ list: Array.from({ length: 800 }, () => [1]) }))
    const { path } = await stage(rows)
    expect((await read({ path })).status).toBe(413)
    expect((await read({ path: path.replace('.json', '.csv') })).status).toBe(200)
  })

  test('accepts a path as people type it', async () => {
    const { path } = await stage(parts(1), { path: '/joes-yard/2026-01-31/ecomm-1a2b3c4d.json' })
    const spellings = [
      'joes-yard/2026-01-31/ecomm-1a2b3c4d.json',
      'ecomm+joes-yard+2026-01-31+ecomm-1a2b3c4d.json',
      '//joes-yard///2026-01-31/ecomm-1a2b3c4d.json/',
      'marketplace:ecomm_autoparts/joes-yard/2026-01-31/ecomm-1a2b3c4d.json',
      'ecomm:/joes-yard/2026-01-31/ecomm-1a2b3c4d.json',
      '/srv/staging/ecomm/joes-yard/2026-01-31/ecomm-1a2b3c4d.json',
    ]
    const answers = await Promise.all(spellings.map((spelling) => read({ path: spelling })))
    expect(answers.map(({ status, body }) => [status, body.path])).toEqual(spellings.map(() => [200, path]))
  })

  test('adds a number to a taken path and strips a label that matches a root name', async () => {
    const path = '/joes-yard/2026-02-01/twice.json'
    const made = await Promise.all([1, 2, 3].map(() => stage(parts(1), { path })))
    expect(made.map((file) => file.path).toSorted()).toEqual([
      '/joes-yard/2026-02-01/twice-2.json',
      '/joes-yard/2026-02-01/twice-3.json',
      path,
    ])
    const odd = await stage(parts(1), { path: '/ecomm/2026-02-01/odd.json' })
    expect((await read({ path: odd.path })).status).toBe(200)
    expect((await read({ path: '/ecomm/2026-02-01/odd.json' })).status).toBe(200)
  })

  test.each([
    ['', 'Enter a staging file path first'],
    ['/../../etc/passwd', '“..” is not allowed'],
    ['/x/%2e%2e/y.json', '“%”'],
    ['..\\x.json', '“/” between'],
    ['/x.txt', '.json or .csv'],
    ['C:/x.json', 'inside the root'],
    ['/etc/x.json', 'not available for staging'],
    ['/srv/other/x.json', 'not available for staging'],
  ])('refuses %j with a sentence', async (path, words) => {
    const { status, body } = await read<ErrorReply>({ path })
    expect([status, body.code]).toEqual([422, 'VALIDATION_FAILED'])
    expect(body.fields?.path).toContain(words)
  })

  test('reports a missing file as not found; another root has other files', async () => {
    const { path } = await stage(parts(1))
    const answers = [await read({ path: '/nothing.json' }), await read({ path, root: 'datatable' })]
    expect(answers.map(({ status }) => status)).toEqual([404, 404])
    expect((await read<ErrorReply>({ path: '/nothing.json' })).body.error).toContain('/nothing.json in ecomm')
    expect((await read({ path, root: 'elsewhere' })).status).toBe(400)
  })
})

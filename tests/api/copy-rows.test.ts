import { CompiledQuery, sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import { type CopyValue, copyRows } from '#server/platform/database/copy-rows.ts'
import { type Db, isDatabaseDown, openDatabase } from '#server/platform/database/database.ts'
import { createTestDatabase } from '#tests/support/test-database.ts'

const testDatabase = await createTestDatabase()
afterAll(() => testDatabase.drop())
const database = openDatabase(testDatabase.url, { max: 2, applicationName: 'copy under test' })
afterAll(() => database.close())
const { db } = database

await sql`
  create table "Copied row" (id int primary key, text text, bytes bytea, at timestamptz, yes boolean, amount bigint,
                             part double precision, kind text not null default 'of its own')
`.execute(db)
const columns = ['id', 'text', 'bytes', 'at', 'yes', 'amount', 'part']

const copy = (trx: Db, rows: Iterable<readonly CopyValue[]>) => copyRows(trx, 'Copied row', columns, rows)
const texts = async (trx: Db = db) => {
  const { rows } = await sql<{ text: string }>`select text from "Copied row" order by id`.execute(trx)
  return rows.map(({ text }) => text)
}
const row = (id: number, text: CopyValue): CopyValue[] => [id, text, null, null, null, null, null]
const named = (id: number) => row(id, `row ${id}`)

/** A transaction that is always rolled back. */
const passing = new Error('taken back')
const inPassing = (work: (trx: Db) => Promise<void>) =>
  db
    .transaction()
    .execute(async (trx) => {
      await work(trx)
      throw passing
    })
    .catch((error: unknown) => {
      if (error !== passing) throw error
    })

test.each([
  'tab\tand\nnew line\r\nand \\ backslash',
  '\\N',
  '\\.',
  '',
  ' spaces around ',
  '"quotes", \'and\' commas',
  '\\t is no tab',
  'Škoda 日本 🚗 a\u0301',
  '\u0001\b\f\v',
  'x'.repeat(70_000),
])('a text arrives unchanged: %.40j', (text) =>
  inPassing(async (trx) => {
    await copy(trx, [row(1, text), row(2, null), row(3, undefined), row(4, text)])
    expect(await texts(trx)).toEqual([text, null, null, text])
  }),
)

test('every kind of value arrives unchanged, and omitted columns get their defaults', () =>
  inPassing(async (trx) => {
    const at = new Date('2026-02-28T23:59:59.123Z')
    const bytes = Buffer.from([0, 9, 10, 13, 92, 255])
    await copy(trx, [
      [1, 'a', bytes, at, true, 9_007_199_254_740_991n, 0.1],
      [2, 'b', Buffer.alloc(0), null, false, -5, -1e-7],
    ])
    const { rows } = await sql`select * from "Copied row" order by id`.execute(trx)
    const kind = 'of its own'
    expect(rows).toEqual([
      { id: 1, text: 'a', bytes, at, yes: true, amount: 9_007_199_254_740_991, part: 0.1, kind },
      { id: 2, text: 'b', bytes: Buffer.alloc(0), at: null, yes: false, amount: -5, part: -1e-7, kind },
    ])
  }))

test('rows are generated while they are sent, and a transaction can mix several copies with other statements', () =>
  inPassing(async (trx) => {
    function* many() {
      for (let id = 1; id <= 20_000; id++) yield row(id, `text of ${id} with some length to it`)
    }
    await copy(trx, many())
    await sql`delete from "Copied row" where id > 19_999`.execute(trx)
    await copy(trx, [])
    await copy(trx, [named(20_001)])
    const { rows } = await sql`select count(*), max(text) from "Copied row" where id > 10_000`.execute(trx)
    expect(rows).toEqual([{ count: 10_000, max: 'text of 19999 with some length to it' }])
  }))

const many = Array.from({ length: 20_000 }, (_, at) => named(at))

test.each<[string, () => Iterable<readonly CopyValue[]>, RegExp]>([
  [
    'a value of the wrong type',
    () => [named(1), ['no number', '', null, null, null, null, null]],
    /invalid input/,
  ],
  ['a duplicate key', () => [...many, named(7), ...many], /duplicate key/],
  ['a row that is too short', () => [named(1), [2]], /missing data/],
  ['an invalid date', () => [named(1), [2, '', null, new Date(Number.NaN)]], /Invalid time value/],
  [
    'rows that fail partway',
    function* () {
      yield* many
      throw new Error('the yard is closed')
    },
    /^the yard is closed$/,
  ],
  [
    'rows that fail at once',
    () => ({
      [Symbol.iterator]: () => {
        throw new Error('closed for good')
      },
    }),
    /^closed for good$/,
  ],
])('%s: writes no row and keeps the connection usable', async (_name, rows, message) => {
  for (let round = 0; round < 3; round++) {
    await expect(
      db.transaction().execute(async (trx) => {
        await copy(trx, [named(-1)])
        await copy(trx, rows())
      }),
    ).rejects.toThrow(message)
  }
  expect(await texts()).toEqual([])
})

test('a failed copy rolls back to the savepoint before it', () =>
  inPassing(async (trx) => {
    await copy(trx, [named(1)])
    await sql`savepoint before`.execute(trx)
    await expect(copy(trx, [named(2), named(1)])).rejects.toMatchObject({ code: '23505' })
    await sql`rollback to before`.execute(trx)
    await copy(trx, [named(3)])
    expect(await texts(trx)).toEqual(['row 1', 'row 3'])
  }))

test('a missing table is reported with its own error code', async () => {
  await expect(copyRows(db, 'no such table', ['id'], [[1]])).rejects.toMatchObject({ code: '42P01' })
})

test('a connection lost during a copy is reported as such, and the next transaction gets a new one', async () => {
  const lost = db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx)
    await copy(trx, untilKilled(rows[0]?.pid ?? 0))
  })
  const error = await lost.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  expect(isDatabaseDown(error), String(error)).toBe(true)
  await inPassing((trx) => copy(trx, [named(1)]))
})

/** Endless rows, until the connection is killed. */
function* untilKilled(pid: number): Generator<CopyValue[]> {
  const killed = db.executeQuery(CompiledQuery.raw('select pg_terminate_backend($1)', [pid]))
  killed.catch(() => undefined)
  for (let id = 1; ; id++) yield named(id)
}

test('a canceled copy fails like any canceled statement', async () => {
  const slow = openDatabase(testDatabase.url, { max: 1, applicationName: 'slow', statementTimeoutMs: 200 })
  function* endless() {
    for (let id = 1; ; id++) yield named(id)
  }
  await expect(slow.db.transaction().execute((trx) => copy(trx, endless()))).rejects.toMatchObject({
    code: '57014',
  })
  await slow.db.transaction().execute((trx) => copy(trx, [named(1)]))
  await sql`delete from "Copied row"`.execute(slow.db)
  await slow.close()
})

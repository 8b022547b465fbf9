import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()

describe('prepared statements', () => {
  const readOnce = (many: number, from = 1) =>
    sql<{ n: number; name: string | null; at: Date; list: number[] }>`/* prepared */
      select n::bigint, case when n % 2 = 0 then 'even' end as name, '2026-11-21 07:08:09.5+00'::timestamptz as at,
             array[n, n + 1] as list
      from generate_series(${from}::int, ${from}::int + ${many}::int - 1) as n
    `.execute(app.db)

  test('return the same rows every time, for many rows, one and none', async () => {
    const at = new Date('2026-11-21T07:08:09.500Z')
    for (const many of [2, 0, 1, 2]) {
      const { rows } = await readOnce(many)
      expect(rows).toEqual(
        [
          { n: 1, name: null, at, list: [1, 2] },
          { n: 2, name: 'even', at, list: [2, 3] },
        ].slice(0, many),
      )
    }
  })

  test('run concurrently', async () => {
    const found = await Promise.all(Array.from({ length: 40 }, (_, at) => readOnce(3, at)))
    expect(found.map(({ rows }) => rows.map(({ n }) => n))).toEqual(
      found.map((_, at) => [at, at + 1, at + 2]),
    )
  })

  test('keep working after a server error or a parse error', async () => {
    const divide = (by: number) =>
      sql<{ n: number }>`/* prepared */ select 12 / ${by}::int as n`.execute(app.db)
    const count = (text: string) =>
      sql<{ n: number }>`/* prepared */ select ${text}::bigint as n`.execute(app.db)
    for (let n = 0; n < 2; n += 1) {
      expect((await divide(4)).rows).toEqual([{ n: 3 }])
      await expect(divide(0)).rejects.toThrow('division by zero')
      expect((await count('9007199254740991')).rows).toEqual([{ n: Number.MAX_SAFE_INTEGER }])
      await expect(count('9007199254740992')).rejects.toThrow('does not fit')
    }
  })

  test('report affected rows when they return none', async () => {
    const write = (key: string) =>
      sql`/* prepared */ insert into rate_window (key, window_start, used) values (${key}, now(), 1)`.execute(
        app.db,
      )
    for (const key of [randomUUID(), randomUUID()]) {
      const { rows, numAffectedRows } = await write(key)
      expect([rows, numAffectedRows]).toEqual([[], 1n])
    }
  })
})

describe('timestamps', () => {
  const read = async (text: string, zone = 'UTC') =>
    app.db.transaction().execute(async (trx) => {
      await sql`select set_config('timezone', ${zone}, true)`.execute(trx)
      const { rows } = await sql<{ at: unknown }>`select ${text}::timestamptz as at`.execute(trx)
      return rows[0]?.at
    })

  test.each([
    ['2026-11-21 07:08:09+00', '2026-11-21T07:08:09.000Z'],
    ['2026-11-21 07:08:09.1+00', '2026-11-21T07:08:09.100Z'],
    ['2026-02-03 23:59:59.999999+00', '2026-02-03T23:59:59.999Z'],
    ['0099-01-02 03:04:05+00', '0099-01-02T03:04:05.000Z'],
    ['12026-01-02 03:04:05+00', '+012026-01-02T03:04:05.000Z'],
    ['0044-03-15 12:00:00+00 BC', '-000043-03-15T12:00:00.000Z'],
  ])('%s', async (text, iso) => {
    expect(await read(text)).toEqual(new Date(iso))
    expect(await read(text, 'Asia/Kolkata')).toEqual(new Date(iso))
  })

  test('reads infinity', async () => {
    expect(await read('infinity')).toBe(Number.POSITIVE_INFINITY)
  })
})

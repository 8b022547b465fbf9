import { sql } from 'kysely'
import { withChangeSet } from '#server/features/history/change-sets.ts'
import type { Database, Db } from '#server/platform/database/database.ts'
import { figure, markdownTable, verdict } from './markdown-table.ts'

/* A thousand rows in one request, beside one bare `update … from unnest` of rows of the same kind. */

const ROWS = 1_000
const ROUNDS = 12
// The first rounds warm caches and plans.
const WARMUP_ROUNDS = 2
const LEAST_OF_BARE = 0.5

type Row = { id: string; cents: number; name: string; version: number }
export type BulkFigures = { what: string; bareMs: number; oursMs: number }
type Server = { port: number; token: string }

type Kind = {
  what: string
  item: (row: Row) => object
  bare: (db: Db, rows: readonly Row[]) => Promise<unknown>
}

const kinds: readonly Kind[] = [
  {
    what: 'price',
    item: ({ cents }) => ({ partprice: (cents + 100) / 100 }),
    bare: (db, rows) =>
      sql`
      update listing l set price_cents = n.cents
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ cents }) => cents + 100)}::bigint[]) n(id, cents)
      where l.id = n.id
    `.execute(db),
  },
  {
    what: 'price and name, which is searched',
    item: ({ cents, name }) => ({ partprice: (cents + 100) / 100, partname: `${name} tested` }),
    bare: (db, rows) =>
      sql`
      update listing l set price_cents = n.cents, name = n.name
      from unnest(${rows.map(({ id }) => id)}::uuid[], ${rows.map(({ cents }) => cents + 100)}::bigint[],
                  ${rows.map(({ name }) => `${name} tested`)}::text[]) n(id, cents, name)
      where l.id = n.id
    `.execute(db),
  },
]

/** The median of rounds in turn, each on other rows from all over the list. */
export async function measureBulk({ db }: Database, server: Server): Promise<BulkFigures[]> {
  const figures: BulkFigures[] = []
  for (const { what, item, bare } of kinds) {
    const bareTimes: number[] = []
    const ourTimes: number[] = []
    for (let round = 0; round < WARMUP_ROUNDS + ROUNDS; round += 1) {
      const some = await someRows(db)
      const bareMs = await timeOf(() =>
        withChangeSet(db, { actorKind: 'system', reason: 'bench' }, (trx) => bare(trx, some)),
      )
      const others = await someRows(db)
      const body = JSON.stringify({
        items: others.map((row) => ({ id: row.id, version: row.version, ...item(row) })),
      })
      const oursMs = await timeOf(() => save(server, body))
      if (round < WARMUP_ROUNDS) continue
      bareTimes.push(bareMs)
      ourTimes.push(oursMs)
    }
    figures.push({ what, bareMs: median(bareTimes), oursMs: median(ourTimes) })
  }
  return figures
}

async function someRows(db: Db): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, price_cents as cents, name, version from listing
    where deleted_at is null and char_length(name) < 140 order by random() limit ${ROWS}
  `.execute(db)
  return rows
}

async function save({ port, token }: Server, body: string): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/admin/parts/bulk-update`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body,
  })
  const text = await answer.text()
  const updated = /"updated":(\d+)/.exec(text)?.[1]
  if (Number(updated) !== ROWS)
    throw new Error(`a bulk save answered ${answer.status}: ${text.slice(0, 300)}`)
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0

export function tellBulk(figures: readonly BulkFigures[]): { text: string; isMet: boolean } {
  const share = ({ bareMs, oursMs }: BulkFigures) => bareMs / oursMs
  const isMet = figures.every((one) => share(one) >= LEAST_OF_BARE)
  const table = markdownTable(
    [
      `${figure(ROWS)} rows at once`,
      'rows/s',
      'bare rows/s',
      `of bare, wanted ≥ ${LEAST_OF_BARE * 100} %`,
      '',
    ],
    figures.map((one) => [
      one.what,
      figure((ROWS / one.oursMs) * 1_000),
      figure((ROWS / one.bareMs) * 1_000),
      `${Math.round(share(one) * 100)} %`,
      verdict(share(one) >= LEAST_OF_BARE),
    ]),
  )
  return { text: table, isMet }
}

import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { withChangeSet } from '#server/features/market/history/change-sets.ts'
import type { Db } from '#server/platform/database/database.ts'
import { makeDemoDatabase, OLD_WORD, RARE_WORD, signInAdmin } from './demo-database.ts'
import type { LoadFigures } from './http-load.ts'
import { deepPageNumbers } from './lists.ts'
import { withHelpers } from './programs.ts'
import { atLeast, figure, markdownTable, median, percent, report, type Target } from './report.ts'

/*
 * How fast an admin finds listings by each filter, and saves a thousand rows in one request, compared with one bare
 * `update … from unnest` of rows of the same kind.
 */

const CONNECTIONS = [1, 16]
const WARMUP_MS = 500
const PER_PAGE = 20
const DEEP_PAGES = 100
const ROWS = 1_000
const ROUNDS = 12
// The first rounds warm caches and plans.
const WARMUP_ROUNDS = 2
const LEAST_OF_BARE = 0.5

/** Prints both tables; returns whether the target of bulk saves was met, and nothing failed. */
export async function benchAdmin(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: { rows: { type: 'string', default: '1000000' }, seconds: { type: 'string', default: '2' } },
  })
  const made = await makeDemoDatabase(Number(values.rows), { safe: true })
  const { db } = made.database
  try {
    return await withHelpers(async (start) => {
      const token = await signInAdmin(db)
      const order = { databaseUrl: made.url, dataDir: made.dataDir }
      const port = await start('lists-server.ts').ask<number>(order)
      const client = start('http-load.ts')
      const lists: string[][] = []
      let failed = 0
      for (const { name, paths } of await choosePages(db)) {
        for (const connections of CONNECTIONS) {
          const asked = {
            port,
            token,
            paths,
            connections,
            warmupMs: WARMUP_MS,
            ms: Number(values.seconds) * 1_000,
          }
          const load = await client.ask<LoadFigures>(asked)
          failed += load.failures
          const { p50, p99, perSecond, failures } = load
          const figures = [p50.toFixed(1), p99.toFixed(1), figure(perSecond), String(failures)]
          lists.push([name, String(connections), ...figures])
        }
      }
      const bulk = await measureBulk(db, { port, token })
      return report(
        [
          `${figure(Number(values.rows))} listings`,
          markdownTable(['admin list', 'connections', 'p50 ms', 'p99 ms', 'a second', 'failed'], lists),
          markdownTable(
            [`${figure(ROWS)} rows at once`, 'rows/s', 'bare rows/s', 'of bare'],
            bulk.map(({ what, bareMs, oursMs }) => [
              what,
              figure((ROWS / oursMs) * 1_000),
              figure((ROWS / bareMs) * 1_000),
              percent(bareMs / oursMs),
            ]),
          ),
        ],
        [
          ...bulk.map(({ what, bareMs, oursMs }) =>
            atLeast(`${what}, of bare`, bareMs / oursMs, LEAST_OF_BARE),
          ),
          {
            name: 'requests that failed',
            found: figure(failed),
            wanted: '0',
            isMet: failed === 0,
          } satisfies Target,
        ],
      )
    })
  } finally {
    await made.close()
  }
}

async function choosePages(db: Db): Promise<{ name: string; paths: string[] }[]> {
  const { rows } = await sql<
    Record<'category' | 'manufacturer' | 'partNumber' | 'model' | 'listings', string>
  >`
    select (select category_id::text from listing where category_id is not null
            group by 1 order by count(*) desc limit 1 offset 3) as category,
           (select manufacturer_id::text from listing where manufacturer_id is not null
            group by 1 order by count(*) desc limit 1 offset 3) as manufacturer,
           (select model_name from listing group by 1 order by count(*) desc limit 1 offset 10) as model,
           (select part_number from listing where part_number is not null order by id limit 1 offset 5000) as "partNumber",
           (select count(*)::text from listing where deleted_at is null) as listings
  `.execute(db)
  const [some] = rows
  if (!some) throw new Error('the listings are missing')
  const { category: categoryId, manufacturer: manuId, model, partNumber } = some
  const pathOf = (query: Record<string, string>) =>
    `/api/admin/parts?${new URLSearchParams({ ...query, perPage: String(PER_PAGE) })}`
  const filters: Record<string, Record<string, string>> = {
    'no filter': {},
    'broad word': { q: 'door' },
    'rare word': { q: RARE_WORD },
    'only old matches': { q: OLD_WORD },
    'part number': { q: partNumber },
    'status active': { status: 'ACTIVE' },
    'status hidden': { status: 'HIDDEN' },
    'hidden and broad word': { status: 'HIDDEN', q: 'door' },
    category: { categoryId },
    manufacturer: { manuId },
    model: { model },
    'beginning of many models': { model: 'c' },
    'model and word': { model, q: 'door' },
    'category, model and status': { categoryId, model, status: 'ACTIVE' },
  }
  const deep = deepPageNumbers(DEEP_PAGES, Math.floor(Number(some.listings) / PER_PAGE))
  return [
    ...Object.entries(filters).map(([name, query]) => ({ name, paths: [pathOf(query)] })),
    { name: `${DEEP_PAGES} deep pages`, paths: deep.map((page) => pathOf({ page: String(page) })) },
  ]
}

/* Bulk saves */

type Row = { id: string; cents: number; name: string; version: number }
type BulkFigures = { what: string; bareMs: number; oursMs: number }

/** What is changed of each row, which of it the bare update does, too. */
const changes: readonly { what: string; item: (row: Row) => { partprice: number; partname?: string } }[] = [
  { what: 'price', item: ({ cents }) => ({ partprice: (cents + 100) / 100 }) },
  {
    what: 'price and name, which is searched',
    item: ({ cents, name }) => ({ partprice: (cents + 100) / 100, partname: `${name} tested` }),
  },
]

/** The median of rounds in turn, each on other rows from all over the list. */
async function measureBulk(db: Db, server: { port: number; token: string }): Promise<BulkFigures[]> {
  const figures: BulkFigures[] = []
  for (const { what, item } of changes) {
    const bare: number[] = []
    const ours: number[] = []
    for (let round = 0; round < WARMUP_ROUNDS + ROUNDS; round += 1) {
      const rows = (await someRows(db)).map((row) => ({ ...row, ...item(row) }))
      const bareMs = await timeOf(() => saveBare(db, rows))
      const items = (await someRows(db)).map((row) => ({ id: row.id, version: row.version, ...item(row) }))
      const body = JSON.stringify({ items })
      const oursMs = await timeOf(() => save(server, body))
      if (round < WARMUP_ROUNDS) continue
      bare.push(bareMs)
      ours.push(oursMs)
    }
    figures.push({ what, bareMs: median(bare), oursMs: median(ours) })
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

type Changed = { id: string; partprice: number; partname?: string }

function saveBare(db: Db, rows: readonly Changed[]): Promise<unknown> {
  const names = rows.flatMap(({ partname }) => partname ?? [])
  const setName = names.length > 0 ? sql`, name = n.name` : sql``
  return withChangeSet(db, { actorKind: 'system', reason: 'bench' }, (trx) =>
    sql`
      update listing l set price_cents = n.cents ${setName}
      from unnest(${rows.map(({ id }) => id)}::uuid[],
                  ${rows.map(({ partprice }) => Math.round(partprice * 100))}::bigint[],
                  ${names}::text[]) n(id, cents, name)
      where l.id = n.id
    `.execute(trx),
  )
}

async function save({ port, token }: { port: number; token: string }, body: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/admin/parts/bulk-update`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    body,
  })
  const text = await response.text()
  const updated = /"updated":(\d+)/.exec(text)?.[1]
  if (Number(updated) !== ROWS)
    throw new Error(`a bulk save returned ${response.status}: ${text.slice(0, 300)}`)
}

async function timeOf(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await work()
  return performance.now() - begin
}

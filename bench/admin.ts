import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type BulkFigures, measureBulk, tellBulk } from './admin-bulk.ts'
import type { LoadFigures, LoadOrder } from './http-load.ts'
import { type ListsDatabase, makeListsDatabase, OLD_WORD, RARE_WORD, signInAdmin } from './lists-database.ts'
import type { ServerOrder } from './lists-server.ts'
import { figure, markdownTable } from './markdown-table.ts'

/* How fast an admin finds listings by each filter, and saves a thousand rows in one request. */

const CONNECTIONS = [1, 16]
const WARMUP_MS = 500
const PER_PAGE = 20
const DEEP_PAGES = 100

type Page = { name: string; paths: string[] }
type Found = { name: string; connections: number; load: LoadFigures }

/** Prints both tables; answers whether the target of bulk saves was met, and nothing failed. */
export async function benchAdmin(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: { rows: { type: 'string', default: '1000000' }, seconds: { type: 'string', default: '2' } },
  })
  const rows = Number(values.rows)
  const made = await makeListsDatabase(rows, { safe: true })
  console.log(`\n${figure(rows)} listings\n`)
  try {
    const { found, bulk } = await measure(made, Number(values.seconds) * 1_000)
    console.log(`${tellPages(found)}\n`)
    const told = tellBulk(bulk)
    console.log(told.text)
    return told.isMet && found.every(({ load }) => load.failures === 0)
  } finally {
    await made.close()
  }
}

async function measure(made: ListsDatabase, ms: number): Promise<{ found: Found[]; bulk: BulkFigures[] }> {
  const token = await signInAdmin(made.database.db)
  const children: ChildProcess[] = []
  const start = (program: string) => {
    const child = fork(join(import.meta.dirname, program), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    children.push(child)
    return child
  }
  try {
    const order: ServerOrder = { kind: 'app', databaseUrl: made.url, dataDir: made.dataDir, pages: [] }
    const port = ((await answerTo(start('lists-server.ts'), order)) as { port: number }).port
    const client = start('http-load.ts')
    const asking = { port, token, warmupMs: WARMUP_MS, ms }
    const found: Found[] = []
    for (const page of await choosePages(made.database.db))
      found.push(...(await measurePage(client, page, asking)))
    return { found, bulk: await measureBulk(made.database, { port, token }) }
  } finally {
    for (const child of children) child.disconnect()
  }
}

async function measurePage(
  client: ChildProcess,
  { name, paths }: Page,
  asking: Omit<LoadOrder, 'paths' | 'connections'>,
): Promise<Found[]> {
  const found: Found[] = []
  for (const connections of CONNECTIONS) {
    const load = (await answerTo(client, { ...asking, paths, connections })) as LoadFigures
    found.push({ name, connections, load })
  }
  return found
}

async function answerTo(child: ChildProcess, order: object): Promise<unknown> {
  child.send(order)
  const [answer] = await once(child, 'message')
  return answer
}

async function choosePages(db: Db): Promise<Page[]> {
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
  const some = rows[0]
  if (!some) throw new Error('the listings are missing')
  const last = Math.floor(Number(some.listings) / PER_PAGE)
  const page = (name: string, filter: Record<string, string>): Page => ({
    name,
    paths: [`/api/admin/parts?${new URLSearchParams({ ...filter, perPage: String(PER_PAGE) })}`],
  })
  return [
    page('no filter', {}),
    {
      name: `${DEEP_PAGES} deep pages`,
      paths: Array.from({ length: DEEP_PAGES }, (_, at) => {
        const deep = 1 + Math.floor((((at * 7_919) % 9_973) / 9_973) * last)
        return `/api/admin/parts?page=${deep}&perPage=${PER_PAGE}`
      }),
    },
    page('broad word', { q: 'door' }),
    page('rare word', { q: RARE_WORD }),
    page('only old matches', { q: OLD_WORD }),
    page('part number', { q: some.partNumber }),
    page('status active', { status: 'ACTIVE' }),
    page('status hidden', { status: 'HIDDEN' }),
    page('hidden and broad word', { status: 'HIDDEN', q: 'door' }),
    page('category', { categoryId: some.category }),
    page('manufacturer', { manuId: some.manufacturer }),
    page('model', { model: some.model }),
    page('beginning of many models', { model: 'c' }),
    page('model and word', { model: some.model, q: 'door' }),
    page('category, model and status', { categoryId: some.category, model: some.model, status: 'ACTIVE' }),
  ]
}

function tellPages(found: readonly Found[]): string {
  return markdownTable(
    ['admin list', 'connections', 'p50 ms', 'p99 ms', 'a second', 'failed'],
    found.map(({ name, connections, load }) => [
      name,
      String(connections),
      load.p50.toFixed(1),
      load.p99.toFixed(1),
      figure(load.perSecond),
      String(load.failures),
    ]),
  )
}

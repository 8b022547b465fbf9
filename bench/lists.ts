import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { LoadFigures, LoadOrder } from './http-load.ts'
import { type ListsDatabase, makeListsDatabase, signInLargest } from './lists-database.ts'
import { choosePages, type MeasuredPage } from './lists-pages.ts'
import type { ServerOrder } from './lists-server.ts'
import { type Measured, tellPages, tellTargets } from './lists-targets.ts'

/* How fast lists and searches answer, beside a bare route with the same bytes and one with only the page's statement. */

const CONNECTIONS = [1, 16, 64]
// What a page has not needed before is compiled first, in the app and, as plans, in each of its connections.
const WARMUP_MS = 3_000

type Asked = { only: RegExp; ms: number }

/** Prints a table for every size; answers whether all targets were met. */
export async function benchLists(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string', default: '10000,1000000' },
      only: { type: 'string', default: '' },
      seconds: { type: 'string', default: '1' },
    },
  })
  const asked = { only: new RegExp(values.only), ms: Number(values.seconds) * 1_000 }
  const measured: Measured[] = []
  for (const rows of values.rows.split(',').map(Number)) {
    const begin = performance.now()
    const made = await makeListsDatabase(rows)
    console.log(
      `\n${rows.toLocaleString('en-US')} listings, made in ${Math.round((performance.now() - begin) / 1_000)} s`,
    )
    try {
      const found = await measure(made, rows, asked)
      console.log(`\n${tellPages(found)}`)
      measured.push(...found)
    } finally {
      await made.close()
    }
  }
  const targets = tellTargets(measured)
  console.log(`\n${targets.text}`)
  return targets.areMet
}

async function measure(made: ListsDatabase, rows: number, asked: Asked): Promise<Measured[]> {
  const { sellerId, token } = await signInLargest(made.database.db)
  const pages = (await choosePages(made.database, sellerId)).filter(({ name }) => asked.only.test(name))
  const children: ChildProcess[] = []
  const start = (program: string) => {
    const child = fork(join(import.meta.dirname, program), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    children.push(child)
    return child
  }
  try {
    const client = start('http-load.ts')
    const app = await portOf(start('lists-server.ts'), {
      kind: 'app',
      databaseUrl: made.url,
      dataDir: made.dataDir,
      pages: [],
    })
    const load = (order: Pick<LoadOrder, 'port' | 'paths' | 'connections'>) =>
      loaded(client, { ...order, token, warmupMs: WARMUP_MS, ms: asked.ms })
    const sizes: number[] = []
    for (const { paths } of pages) sizes.push((await load({ port: app, paths, connections: 1 })).bytes)
    const beside = await portOf(start('lists-server.ts'), {
      kind: 'beside',
      databaseUrl: made.url,
      dataDir: made.dataDir,
      pages: pages.map(({ name, statement, values }, at) => ({
        name: slug(name),
        bytes: sizes[at] ?? 0,
        statement,
        values,
      })),
    })
    return await measurePages({ rows, pages, app, beside, load })
  } finally {
    for (const child of children) child.disconnect()
  }
}

type Load = (order: Pick<LoadOrder, 'port' | 'paths' | 'connections'>) => Promise<LoadFigures>
type Measuring = { rows: number; pages: MeasuredPage[]; app: number; beside: number; load: Load }

async function measurePages({ rows, pages, app, beside, load }: Measuring): Promise<Measured[]> {
  const measured: Measured[] = []
  for (const { name, paths } of pages) {
    for (const connections of CONNECTIONS) {
      const bare = await load({ port: beside, paths: [`/bare/${slug(name)}`], connections })
      const statement = await load({ port: beside, paths: [`/statement/${slug(name)}`], connections })
      const ours = await load({ port: app, paths, connections })
      measured.push({ rows, name, connections, bare, statement, ours })
    }
  }
  return measured
}

const slug = (name: string) => name.replaceAll(' ', '-')

async function portOf(child: ChildProcess, order: ServerOrder): Promise<number> {
  child.send(order)
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return port
}

async function loaded(client: ChildProcess, order: LoadOrder): Promise<LoadFigures> {
  client.send(order)
  const [figures] = (await once(client, 'message')) as [LoadFigures]
  if (figures.failures > 0) throw new Error(`${figures.failures} of ${order.paths[0]} failed`)
  return figures
}

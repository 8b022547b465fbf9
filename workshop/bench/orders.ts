import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Caller, type CrowdPart } from '#tests/support/order-crowd.ts'
import { openYards } from '#workshop/chaos/orders.ts'
import { openScene, type Scene } from '#workshop/chaos/scene.ts'
import { HEAP_FLAG, type Helper, withHelpers } from './programs.ts'
import { figure, markdownTable, median, percentile, report, type Target } from './report.ts'
import type { TypedFigures, TypedOrder } from './typed-load.ts'

/*
 * What buyers notice of others who buy: pages of parts at a steady rate, in turns without orders and beside them, each order
 * placed, paid at the simulator and read again. Then how many orders a second go through when nobody waits.
 */

const OPTIONS = {
  parts: { type: 'string', default: '900' },
  rounds: { type: 'string', default: '4' },
  seconds: { type: 'string', default: '15' },
  pages: { type: 'string', default: '40' },
  rate: { type: 'string', default: '2' },
} as const
const PROGRAM = { path: join(import.meta.dirname, 'unlimited-program.ts'), args: [] }
const WARMUP_SECONDS = 10
const BUYERS_AT_MOST = 8
const MOST_SLOWER = 1.5

type Round = { pages: TypedFigures['searches']; orders: OrderTimes }
type OrderTimes = { times: number[]; failed: number }

export async function benchOrders(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: OPTIONS })
  const sizes = {
    parts: Number(values.parts),
    rounds: Number(values.rounds),
    seconds: Number(values.seconds),
    pages: Number(values.pages),
    rate: Number(values.rate),
  }
  const settings = { APP_MODE: 'demo', DEMO_DATA: 'off', TRUSTED_PROXIES: '127.0.0.1' }
  const scene = await openScene({
    api: 1,
    worker: 1,
    simulator: true,
    settings,
    nodeOptions: HEAP_FLAG,
    program: PROGRAM,
  })
  try {
    const found = await withHelpers((start) => measure(scene, sizes, start('typed-load.ts')))
    const slower = median(found.beside.map(p99Of)) / median(found.quiet.map(p99Of))
    return report(
      [
        `### ${figure(sizes.parts)} parts, ${sizes.pages} part pages a second, ${sizes.rate} orders a second, ${sizes.rounds} rounds of ${sizes.seconds} s each`,
        roundsTable(found),
        `Processor time beside the orders: ${found.shares.map(([role, share]) => `${role} ${figure(share * 100)}%`).join(', ')} of a core.`,
        `Without waiting, ${BUYERS_AT_MOST} buyers at once: ${found.most.toFixed(1)} orders a second.`,
      ],
      targetsOf(found, slower),
    )
  } finally {
    await scene.close()
  }
}

type Sizes = { parts: number; rounds: number; seconds: number; pages: number; rate: number }
type Found = { quiet: Round[]; beside: Round[]; shares: [role: string, share: number][]; most: number }

async function measure(scene: Scene, sizes: Sizes, helper: Helper): Promise<Found> {
  const [api] = scene.installation.ofRole('api')
  if (!api) throw new Error('no api runs')
  const caller = new Caller({ address: () => api.address, signal: AbortSignal.timeout(30 * 60_000) })
  const yards = await openYards(scene, caller, { seed: 'bench', parts: sizes.parts })
  const all = yards.flatMap(({ parts }) => parts)
  // Pages of parts that nobody buys here, so that every reply is the page of a part for sale.
  const read = all.slice(0, Math.floor(all.length / 3))
  const buyer = new Buyer(
    caller,
    all.slice(read.length).filter(({ isFreight }) => !isFreight),
  )
  const pages = (seconds: number) =>
    loadPages(helper, { port: api.port, read, seconds, perSecond: sizes.pages })
  // An installation in use: code is compiled, and each connection of the database has read its catalog.
  await Promise.all([pages(WARMUP_SECONDS), buyer.buySteadily(WARMUP_SECONDS, sizes.rate)])
  const found: Found = { quiet: [], beside: [], shares: [], most: 0 }
  const used = new Map<string, number>()
  for (let round = 0; round < sizes.rounds; round += 1) {
    found.quiet.push({ pages: await pages(sizes.seconds), orders: { times: [], failed: 0 } })
    const before = processorTimes(scene)
    const [beside, orders] = await Promise.all([
      pages(sizes.seconds),
      buyer.buySteadily(sizes.seconds, sizes.rate),
    ])
    for (const [role, ms] of processorTimes(scene)) {
      used.set(role, (used.get(role) ?? 0) + ms - (before.get(role) ?? 0))
    }
    found.beside.push({ pages: beside, orders })
  }
  const besideMs = sizes.rounds * sizes.seconds * 1_000
  found.shares = [...used].map(([role, ms]) => [role, ms / besideMs])
  found.most = await buyer.buyAtMost(sizes.seconds)
  return found
}

type Pages = { port: number; read: readonly CrowdPart[]; seconds: number; perSecond: number }

async function loadPages(helper: Helper, { port, read, seconds, perSecond }: Pages) {
  const paths = Array.from(
    { length: seconds * perSecond },
    (_, at) => `/parts/${read[at % read.length]?.slug ?? ''}`,
  )
  const order: TypedOrder = { port, paths, perSecond, token: '', edited: [], editsPerSecond: 0 }
  return (await helper.ask<TypedFigures>(order)).searches
}

type Placed = { url?: string; token: string }

/** Buys one part after the other, as many buyers from as many places. */
class Buyer {
  readonly #caller: Caller
  readonly #parts: readonly CrowdPart[]
  #next = 0

  constructor(caller: Caller, parts: readonly CrowdPart[]) {
    this.#caller = caller
    this.#parts = parts
  }

  /** Places an order, pays it and reads it; milliseconds, or undefined if it was not sold. */
  async buy(): Promise<number | undefined> {
    const no = this.#next
    this.#next += 1
    const part = this.#parts[no]
    if (!part) throw new Error('all parts are sold: use more --parts')
    const ip = `10.${no >> 16}.${(no >> 8) & 255}.${no & 255}`
    const begin = performance.now()
    const { status, body } = await this.#caller.ask<Placed>('POST', `/parts/${part.slug}/orders`, {
      ip,
      key: `bench ${no}`,
      body: {
        email: `buyer-${no}@bench.example`,
        name: 'Ann Buyer',
        delivery: 'ship',
        address: { line1: `${no + 1} Elm Street`, city: 'Dallas', state: 'TX', zip: '75201' },
        expectedTotal: 115,
      },
    })
    if (status !== 201 || !body.url) return undefined
    const paid = await fetch(`${body.url}/pay`, { method: 'POST', redirect: 'manual' })
    await paid.body?.cancel()
    const order = await this.#caller.ask('POST', '/orders/read', { ip, body: { token: body.token } })
    return paid.status < 400 && order.status === 200 ? performance.now() - begin : undefined
  }

  async buySteadily(seconds: number, perSecond: number): Promise<OrderTimes> {
    const began = performance.now()
    const bought: Promise<number | undefined>[] = []
    for (let at = 0; at < seconds * perSecond; at += 1) {
      await sleep(Math.max(0, began + (at / perSecond) * 1_000 - performance.now()))
      bought.push(this.buy())
    }
    const all = await Promise.all(bought)
    const times = all.filter((ms) => ms !== undefined)
    return { times, failed: all.length - times.length }
  }

  /** Orders a second, by some buyers who never wait. */
  async buyAtMost(seconds: number): Promise<number> {
    const began = performance.now()
    let sold = 0
    const buyer = async () => {
      while (performance.now() - began < seconds * 1_000) if ((await this.buy()) !== undefined) sold += 1
    }
    await Promise.all(Array.from({ length: BUYERS_AT_MOST }, buyer))
    return sold / ((performance.now() - began) / 1_000)
  }
}

// Of Linux; the kernel counts processor time in these.
const TICK_MS = 10

/** The processor time of each role's processes and of this client, in milliseconds. */
function processorTimes({ installation }: Scene): Map<string, number> {
  const own = process.cpuUsage()
  const times = new Map([['client', (own.user + own.system) / 1_000]])
  for (const { role, pid } of installation.processes) {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
    const ticks = Number(fields[11]) + Number(fields[12])
    times.set(role, (times.get(role) ?? 0) + ticks * TICK_MS)
  }
  return times
}

const p99Of = ({ pages }: Round) => pages.p99

function roundsTable({ quiet, beside }: Found): string {
  const row = (phase: string) => (round: Round, at: number) => {
    const { pages, orders } = round
    return [
      `${at + 1}`,
      phase,
      ...[pages.p50, pages.p95, pages.p99].map((ms) => ms.toFixed(1)),
      figure(pages.failed),
      figure(orders.times.length),
      orders.times.length === 0 ? '' : percentile(orders.times, 0.5).toFixed(0),
      orders.times.length === 0 ? '' : percentile(orders.times, 0.99).toFixed(0),
      figure(orders.failed),
    ]
  }
  const rows = quiet.flatMap((round, at) => {
    const other = beside[at]
    return [row('quiet')(round, at), ...(other ? [row('orders')(other, at)] : [])]
  })
  return markdownTable(
    'round,beside,page p50 ms,p95,p99,failed,orders,order p50 ms,p99,failed'.split(','),
    rows,
  )
}

function targetsOf({ quiet, beside }: Found, slower: number): Target[] {
  const failed = [...quiet, ...beside].reduce(
    (sum, { pages, orders }) => sum + pages.failed + orders.failed,
    0,
  )
  return [
    {
      name: 'p99 of part pages beside orders, of quiet (medians)',
      found: slower.toFixed(2),
      wanted: `≤ ${MOST_SLOWER}`,
      isMet: slower <= MOST_SLOWER,
    },
    { name: 'pages and orders that failed', found: figure(failed), wanted: '0', isMet: failed === 0 },
  ]
}

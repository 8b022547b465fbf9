/*
 * Imports a yard's file chunk by chunk while the processes of the installation are killed and paused, and checks that
 * the result is the same as without. Each seed is another course of events, the same one on every machine.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import pRetry from 'p-retry'
import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import {
  openProSeller,
  type ProSeller,
  type Sending,
  sendUntilAcknowledged,
} from '#tests/support/import-client.ts'
import { differences, type Tables, tablesOfSeller } from '#tests/support/tables-of-seller.ts'
import { yardText } from '#tests/support/yard-file.ts'
import { type Disturbance, describeDisturbance, disturb } from './disturbances.ts'
import { ImportWatch, type Timed } from './import-watch.ts'
import { addressesOf, chosenSeeds, makeOnce, openScene, runSeeds, type Scene, seconds } from './scene.ts'
import { importsOf, makeStock, type Scenario, scenarioOf } from './stock.ts'

const OPTIONS = {
  seeds: { type: 'string', default: '30' },
  /** These seeds only: "17" or "9,14". */
  seed: { type: 'string' },
  rows: { type: 'string', default: '10000' },
  chunks: { type: 'string', default: '10' },
  /** Disturbances in one seed. */
  disturbances: { type: 'string', default: '3' },
  'stop-seconds': { type: 'string', default: '40' },
} as const

type Delivery = {
  /** Chunks in the order in which they are sent. */
  readonly order: readonly number[]
  /** Chunks that are sent twice at the same moment, to two processes. */
  readonly doubled: ReadonlySet<number>
  /** Chunks that are sent again after they were acknowledged. */
  readonly resent: ReadonlySet<number>
  readonly atOnce: number
  readonly disturbances: readonly (Disturbance & Timed)[]
}
type ImportPlan = Delivery & { readonly seed: number; readonly scenario: Scenario }
type PlanOptions = { readonly chunks: number; readonly disturbances: number; readonly stopMs: number }

export function planImport(seed: number, { chunks, disturbances, stopMs }: PlanOptions): ImportPlan {
  const random = seededRandom(`chaos ${seed}`)
  const indexes = Array.from({ length: chunks }, (_, index) => index)
  const some = (share: number) => new Set(indexes.filter(() => random.chance(share)))
  return {
    seed,
    scenario: scenarioOf(seed),
    order: indexes
      .map((index) => ({ index, place: random.next() }))
      .sort((a, b) => a.place - b.place)
      .map(({ index }) => index),
    doubled: some(0.3),
    resent: some(0.3),
    atOnce: random.whole(1, 4),
    disturbances: drawDisturbances(random, disturbances, stopMs),
  }
}

const TARGETS = ['api', 'worker', 'database'] as const

/** At most one of them is a long pause: the seed waits for it, and the others happen meanwhile. */
function drawDisturbances(random: Random, count: number, stopMs: number): (Disturbance & Timed)[] {
  const pauseAt = random.chance(0.7) ? random.whole(0, count - 1) : -1
  return Array.from({ length: count }, (_, index) => {
    const when = { at: random.next() * 0.97, laterMs: random.whole(0, 200), which: random.whole(0, 1) }
    if (index === pauseAt) {
      return { ...when, kind: 'stop' as const, target: random.pick(TARGETS), forMs: stopMs }
    }
    const target = random.pick([...TARGETS, 'worker', 'connection'] as const)
    return { ...when, kind: 'kill' as const, target, forMs: random.whole(0, 1_500) }
  }).sort((a, b) => a.at - b.at)
}

/** Prints a line for each seed and a summary; returns whether all of them passed. */
export async function chaosImport(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: OPTIONS })
  const chunks = Number(values.chunks)
  const plans = chosenSeeds(values).map((seed) =>
    planImport(seed, {
      chunks,
      disturbances: Number(values.disturbances),
      stopMs: Number(values['stop-seconds']) * 1_000,
    }),
  )
  const stock = makeStock(Number(values.rows))
  const scene = await openScene({ api: 2, worker: 2 })
  try {
    const undisturbed = makeOnce<Tables>()
    const expected = (scenario: Scenario) =>
      undisturbed(
        scenario,
        async () => (await runImports(scene, stock, { ...inOrder(chunks), scenario })).tables,
      )
    return await runSeeds(scene, plans, {
      story: ({ scenario, disturbances }) =>
        [
          scenario,
          ...disturbances.map((one) => `${describeDisturbance(one)} at ${Math.round(one.at * 100)}%`),
        ].join(', '),
      run: async (plan) => {
        const tables = await expected(plan.scenario)
        const found = await runImports(scene, stock, plan)
        return {
          problems: differences(tables, found.tables),
          measured: `${found.retries} retries, stood still for ${seconds(found.longestStillMs, 1)} at most`,
        }
      },
    })
  } finally {
    await scene.close()
  }
}

const inOrder = (chunks: number): Delivery => ({
  order: Array.from({ length: chunks }, (_, index) => index),
  doubled: new Set(),
  resent: new Set(),
  atOnce: 1,
  disturbances: [],
})

// What a process that wakes from a pause might still write is written by then: it checks its fence at once.
const SETTLE_MS = 2_000

/** The imports of a scenario by a seller of its own, the last one as planned. */
async function runImports(
  scene: Scene,
  stock: Record<Scenario, string[][]>,
  plan: Delivery & { scenario: Scenario },
) {
  const [address = ''] = addressesOf(scene)
  // Not part of what is measured: a connection to a process that was killed in the last seed is tried again.
  const seller = await pRetry(() => openProSeller(address, scene.db), { retries: 5 })
  const { length: chunks } = plan.order
  const imports = importsOf(plan.scenario)
  let last = { retries: 0, longestStillMs: 0 }
  for (const [skipped, { file, mode }] of imports.entries()) {
    const isLast = skipped === imports.length - 1
    const sendings = cut(stock[file], chunks).map((rows, index) => ({
      key: `chaos ${mode}`,
      mode,
      file: new Blob([yardText(rows)]),
      chunk: { index, count: chunks },
    }))
    const watch = new ImportWatch(scene.db, seller.sellerId, skipped)
    last = await runImport(scene, { seller, sendings, watch }, isLast ? plan : inOrder(chunks))
  }
  await sleep(SETTLE_MS)
  return { ...last, tables: await tablesOfSeller(scene.db, scene.files, seller.sellerId) }
}

type Sent = { readonly seller: ProSeller; readonly sendings: readonly Sending[]; readonly watch: ImportWatch }

async function runImport(scene: Scene, { seller, sendings, watch }: Sent, delivery: Delivery) {
  let retries = 0
  await watch.importAmid(
    delivery.disturbances,
    (disturbance) => disturb(scene.installation, disturbance, (isAway) => watch.away(isAway)),
    async (signal) => {
      const sender = { addresses: addressesOf(scene), seller, signal }
      const [sent] = await Promise.all([sendChunks(delivery, sendings, sender), watch.untilApplied()])
      retries = sent
    },
  )
  return { retries, longestStillMs: watch.longestStillMs }
}

type Sender = Parameters<typeof sendUntilAcknowledged>[1]

/** Sends chunks as planned. All replies to the same chunk must be the same. Returns how many attempts were repeated. */
async function sendChunks(
  { order, doubled, resent, atOnce }: Delivery,
  sendings: readonly Sending[],
  { addresses, ...sender }: Sender,
): Promise<number> {
  let retries = 0
  const send = async (index: number, first: number): Promise<unknown> => {
    const sending = sendings[index]
    if (!sending) throw new Error(`there is no chunk ${index}`)
    const from = first % addresses.length
    const turned = [...addresses.slice(from), ...addresses.slice(0, from)]
    const { reply, attempts } = await sendUntilAcknowledged(sending, { ...sender, addresses: turned })
    retries += attempts - 1
    return JSON.parse(reply)
  }
  const waiting = [...order.entries()]
  const sendInTurn = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const [turn, index] = next
      const turns = doubled.has(index) ? [turn, turn + 1] : [turn]
      const replies = await Promise.all(turns.map((first) => send(index, first)))
      if (resent.has(index)) replies.push(await send(index, turn + 1))
      const other = replies.find((reply) => !isDeepStrictEqual(reply, replies[0]))
      if (other) {
        throw new Error(`chunk ${index} got ${JSON.stringify(replies[0])}, then ${JSON.stringify(other)}`)
      }
    }
  }
  await Promise.all(Array.from({ length: atOnce }, sendInTurn))
  return retries
}

/** Cuts rows into chunks of about the same size. */
function cut<T>(rows: readonly T[], chunks: number): T[][] {
  const start = (index: number) => Math.floor((index * rows.length) / chunks)
  return Array.from({ length: chunks }, (_, index) => rows.slice(start(index), start(index + 1)))
}

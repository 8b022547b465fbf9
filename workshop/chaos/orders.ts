/*
 * A thousand purchases by fifty buyers at once, while webhooks are doubled, shuffled and lost and the api, the worker and the
 * payment provider are killed: then every deadline passes, and every part and every cent must have one owner. A run takes
 * five to nine minutes. With --whole, buyers go on until that many orders are placed (some attempts fail because the part is
 * gone), and the money moves on to the yards, and back after refunds, returns, claims, cores and disputes: about twice that time.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { lateNewsQueue, orderReadsQueue } from '#server/features/money/orders/deadlines.ts'
import { enqueueJob } from '#server/platform/jobs/enqueue-job.ts'
import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import {
  ageReleases,
  countMoving,
  decideDisputes,
  findMoneyProblems,
  openAccount,
  playAfterSale,
  type Seller,
} from '#tests/support/after-sale.ts'
import { openProSeller } from '#tests/support/import-client.ts'
import type { InstalledProcess } from '#tests/support/installation.ts'
import { ageOrders, countStates, countWaiting, findOrderProblems } from '#tests/support/order-checks.ts'
import {
  Caller,
  type Crowd,
  type CrowdYard,
  countPlaced,
  type Links,
  listParts,
  playBuyers,
  playYard,
} from '#tests/support/order-crowd.ts'
import { addressesOf, openScene, restartEnded, type Scene, seconds } from './scene.ts'

const OPTIONS = {
  seed: { type: 'string' },
  purchases: { type: 'string', default: '1000' },
  /** 300, and 1,000 with --whole. */
  parts: { type: 'string' },
  buyers: { type: 'string', default: '50' },
  kills: { type: 'string', default: '20' },
  /** 300, and 900 with --whole. Slow machines do not get all purchases into it; then the rest stay away. */
  seconds: { type: 'string' },
  /** Also what comes after the sale: money released, refunded, taken back and owed. */
  whole: { type: 'boolean', default: false },
} as const

const PART = { parts: 300, seconds: 300 }
const WHOLE = { parts: 1_000, seconds: 900 }
const YARDS = 6
const PAUSE_MS = 800
/** To come to rest after the purchases: a slow machine has hundreds of transfers to make and take back. */
const REST_MS = 15 * 60_000
/** A killed process is replaced before the next one goes. */
const KILL_EVERY_MS = [1_000, 4_000] as const
const ROUND_MS = 4_000
const TOLD_EVERY_MS = 30_000

/** Prints figures; returns whether all is as it should be. */
export async function chaosOrders(args: string[]): Promise<boolean> {
  const { values } = parseArgs({ args, options: OPTIONS })
  const seed = values.seed ?? String(Date.now() % 1_000_000)
  const sizes = values.whole ? WHOLE : PART
  const parts = Number(values.parts ?? sizes.parts)
  const shutsMs = Number(values.seconds ?? sizes.seconds) * 1_000
  console.log(`seed ${seed}`)
  const settings = { APP_MODE: 'demo', DEMO_DATA: 'off', TRUSTED_PROXIES: '127.0.0.1' }
  const scene = await openScene({ api: 2, worker: 1, simulator: true, settings })
  const begin = Date.now()
  try {
    const addresses = addressesOf(scene)
    await behave(scene, seed)
    const signal = AbortSignal.timeout(shutsMs + REST_MS)
    let calls = 0
    const address = () => {
      calls += 1
      return addresses[calls % addresses.length] ?? ''
    }
    const caller = new Caller({ address, signal })
    const yards = await openYards(scene, caller, { seed, parts, cores: values.whole })
    if (values.whole) await openAccounts(scene, yards)
    const crowd: Crowd = {
      address,
      yards,
      purchases: Number(values.purchases),
      ...(values.whole && { orders: Number(values.purchases) }),
      buyers: Number(values.buyers),
      seed,
      pauseMs: PAUSE_MS,
      signal,
      shuts: AbortSignal.timeout(shutsMs),
    }
    console.log(`${parts} parts in ${YARDS} yards after ${seconds(Date.now() - begin)}`)
    const links: Links = new Map()
    const killed = await play(scene, crowd, { caller, links, kills: Number(values.kills) })
    console.log(`played after ${seconds(Date.now() - begin)}; killed ${[...killed].map(String).join(', ')}`)
    let isResting = await comeToRest(scene, signal)
    const problems = missing(crowd, caller)
    if (values.whole) {
      isResting =
        (await sellOn(scene, { yards, caller, links, seed, signal })) && (await comeToRest(scene, signal))
      problems.push(...(await findMoneyProblems(scene.db, scene.db)))
    }
    console.table([Object.fromEntries(caller.tally)])
    console.table([await countStates(scene.db)])
    problems.push(
      ...(await findOrderProblems(
        { db: scene.db, provider: scene.db },
        yards.flatMap((yard) => yard.parts),
      )),
      ...(await restartEnded(scene.installation)),
    )
    if (!isResting) {
      const [waiting, moving] = [await countWaiting(scene.db), await countMoving(scene.db)]
      problems.push(`${waiting} orders, steps or refunds and ${moving} movements of money still wait`)
    }
    const errors = caller.tally.get('500') ?? 0
    if (errors > 0) problems.push(`${errors} calls were answered 500`)
    for (const problem of problems) console.log(problem)
    console.log(
      `${problems.length === 0 ? 'ok' : 'FAILED'}: seed ${seed}, ${seconds(Date.now() - begin)}, ${problems.length} problems`,
    )
    return problems.length === 0
  } finally {
    await scene.close()
  }
}

function missing({ orders = 0 }: Crowd, caller: Caller): string[] {
  const placed = countPlaced(caller)
  return placed < orders ? [`only ${placed} of ${orders} orders were placed in time`] : []
}

/** It forgets this when it is killed. */
async function behave({ installation }: Scene, seed: string): Promise<void> {
  const webhooks = { seed, double: 0.3, shuffle: 0.3, shuffleMs: 2_000, drop: 0.05 }
  const answer = await fetch(`${installation.simulatorUrl}/simulator/behavior`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ webhooks }),
  })
  if (!answer.ok) throw new Error(`the simulator refused: ${await answer.text()}`)
}

export async function openYards(
  { db }: Scene,
  caller: Caller,
  { seed, parts, cores = false }: { seed: string; parts: number; cores?: boolean },
): Promise<(CrowdYard & Seller)[]> {
  const [address] = [caller.address()]
  return Promise.all(
    Array.from({ length: YARDS }, async (_, at) => {
      const { token, sellerId } = await openProSeller(address, db)
      await sql`
        update seller set can_transfer = true, sells_online = true, sale_mode = ${at % 2 ? 'instant' : 'confirm'},
          established_at = now()
        where id = ${sellerId}`.execute(db)
      const yard = {
        street: '12 Mill Road',
        city: 'Tulsa',
        state: 'OK',
        zip: '74101',
        phone: '',
        timeZone: 'America/Chicago',
        hours: null,
        policy: { shipping: '', returns: '', warranty: '' },
      }
      const put = await fetch(`${address}/api/seller/yard`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(yard),
      })
      if (!put.ok) throw new Error(`the yard was answered ${put.status}: ${await put.text()}`)
      const api = {
        get: <T>(path: string) => caller.ask<T>('GET', path, { token }),
        post: <T>(path: string, body: unknown) => caller.ask<T>('POST', path, { token, body }),
      }
      return {
        token,
        sellerId,
        parts: await listParts(api, { count: Math.ceil(parts / YARDS), seed: `${seed}-${at}`, cores }),
      }
    }),
  )
}

const openAccounts = async ({ db, installation }: Scene, yards: readonly Seller[]): Promise<void> => {
  for (const { sellerId } of yards) await openAccount(db, installation.simulatorUrl, sellerId)
}

type Selling = {
  yards: readonly Seller[]
  caller: Caller
  links: Links
  seed: string
  signal: AbortSignal
}

/** Lets the money of all sales move, with refunds after it and a killed process in each round; whether all came to rest. */
async function sellOn(scene: Scene, { yards, caller, links, seed, signal }: Selling): Promise<boolean> {
  const { db, installation } = scene
  const random = seededRandom(`after ${seed}`)
  const disturb = async (round: number) => {
    await sleep(random.whole(500, 4_000))
    const victims = ['worker', 'simulator'] as const
    const [victim] = installation.ofRole(victims[round % victims.length] ?? 'worker')
    if (victim) await kill(victim, random)
  }
  const { simulatorUrl } = installation
  await playAfterSale({ db, simulatorUrl, sellers: yards, caller, links, seed, disturb })
  await decideDisputes(simulatorUrl, random)
  // At least twice: nobody may have heard of a dispute whose event was lost.
  for (let rounds = 0; !signal.aborted; rounds += 1) {
    if (rounds > 1 && (await countMoving(db)) === 0) break
    await ageReleases(db)
    await enqueueJob(db, { queue: lateNewsQueue, payload: {} })
    await enqueueJob(db, { queue: orderReadsQueue, payload: {} })
    await sleep(ROUND_MS)
  }
  const { rows } = await sql<{ why: string; n: number; cents: number }>`
    select why, count(*)::int as n, sum(abs(amount_cents))::float8 as cents from ledger_entry
    where account = 'held' and why in ('transferred', 'reversed', 'owed', 'netted', 'disputed', 'core lapsed') group by 1 order by 1`.execute(
    db,
  )
  console.table(rows)
  return (await countMoving(db)) === 0
}

type Play = { caller: Caller; links: Links; kills: number }

/** Plays all purchases while processes are killed; returns how often each was. */
async function play(
  scene: Scene,
  crowd: Crowd,
  { caller, links, kills }: Play,
): Promise<Map<string, number>> {
  const over = new AbortController()
  const working = crowd.yards.map((yard) => playYard(crowd, caller, { yard, links, over: over.signal }))
  const killing = killProcesses(scene, { kills, seed: crowd.seed, signal: crowd.signal })
  const begin = Date.now()
  const telling = setInterval(() => {
    const purchases = caller.tally.get('purchases') ?? 0
    console.log(`${seconds(Date.now() - begin)}: ${purchases} purchases, ${countPlaced(caller)} placed`)
  }, TOLD_EVERY_MS)
  over.signal.addEventListener('abort', () => clearInterval(telling))
  await playBuyers(crowd, caller, links)
  const killed = await killing
  // The yards look once more at what is new.
  await sleep(4 * crowd.pauseMs)
  over.abort()
  await Promise.all(working)
  return killed
}

type Killing = { kills: number; seed: string; signal: AbortSignal }

async function killProcesses(scene: Scene, { kills, seed, signal }: Killing): Promise<Map<string, number>> {
  const random = seededRandom(`kills ${seed}`)
  const killed = new Map<string, number>()
  for (let done = 0; done < kills && !signal.aborted; done += 1) {
    await sleep(random.whole(...KILL_EVERY_MS))
    const victims = scene.installation.processes
    const victim = victims[done % victims.length] ?? random.pick(victims)
    await kill(victim, random)
    if (victim.role === 'simulator') await behave(scene, `${seed} ${done}`)
    killed.set(victim.role, (killed.get(victim.role) ?? 0) + 1)
  }
  return killed
}

async function kill(victim: InstalledProcess, random: Random): Promise<void> {
  await victim.kill()
  await sleep(random.whole(0, 1_500))
  await victim.startUntilReady()
}

/** Lets every deadline pass, again and again, until nothing waits anymore. */
async function comeToRest({ db }: Scene, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    if ((await countWaiting(db)) === 0) return true
    await ageOrders(db)
    await enqueueJob(db, { queue: orderReadsQueue, payload: {} })
    await sleep(ROUND_MS)
  }
  return false
}

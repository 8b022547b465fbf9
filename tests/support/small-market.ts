import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { openDatabase } from '#server/platform/database/database.ts'
import { openLog } from '#server/platform/log.ts'
import { ageOrders, countStates, countWaiting, findOrderProblems } from './order-checks.ts'
import { openOrderClock } from './order-clock.ts'
import { Caller, type Crowd, type Links, listParts, playBuyers, playYard } from './order-crowd.ts'
import { startBillingWorker } from './payments.ts'
import { openShop } from './shop.ts'
import { startTestSimulator } from './simulator.ts'
import { startTestApp } from './test-app.ts'

/* `npm run chaos -- orders` in small: no process is killed except the provider's. */

type Market = {
  title: string
  settings?: Record<string, string>
  /** How the provider is set up. */
  setup?: Record<string, unknown>
  purchases: number
}

/** Yards and buyers on an app of their own, and what must hold of their orders afterwards. */
export async function testMarket({ title, settings = {}, setup = {}, purchases }: Market): Promise<void> {
  const simulator = await startTestSimulator()
  const app = await startTestApp({ ...simulator.settings, TRUSTED_PROXIES: '127.0.0.1', ...settings })
  await simulator.deliverTo(app.http)
  await startBillingWorker(app)
  const provider = openDatabase(simulator.databaseUrl, {
    max: 1,
    applicationName: 'checks',
    log: openLog({ role: 'test', level: 'silent' }),
  })
  afterAll(() => provider.close())

  const shop = openShop(app)
  const clock = openOrderClock(app)

  function address(): string {
    const at = app.http.server.address()
    return typeof at === 'object' && at ? `http://127.0.0.1:${at.port}` : ''
  }

  test(title, async () => {
    const seed = process.env.SEED ?? String(Date.now() % 100_000)
    console.log(`orders: seed ${seed}`)
    const behavior = { setup, webhooks: { seed, double: 0.3, shuffle: 0.3, shuffleMs: 500, drop: 0.05 } }
    await simulator.behave(behavior)
    const yards = await Promise.all(
      (['confirm', 'instant'] as const).map(async (mode) => {
        const { seller } = await shop.yard({}, { mode })
        const parts = await listParts(seller.api, { count: 9, seed: `${seed}-${mode}` })
        return { token: seller.api.token ?? '', parts }
      }),
    )
    const over = new AbortController()
    const crowd: Crowd = {
      address,
      yards,
      purchases,
      allOrNothing: settings.STRIPE_TAX === 'on',
      buyers: 12,
      seed,
      pauseMs: 60,
      signal: AbortSignal.timeout(150_000),
    }
    const caller = new Caller(crowd)
    const links: Links = new Map()
    const working = yards.map((yard) => playYard(crowd, caller, { yard, links, over: over.signal }))
    const disturbing = (async () => {
      for (let kills = 0; kills < 3; kills += 1) {
        await sleep(900)
        await simulator.restart()
        await simulator.behave({ setup, webhooks: { ...behavior.webhooks, seed: `${seed} ${kills}` } })
      }
    })()
    await Promise.all([playBuyers(crowd, caller, links), disturbing])
    await sleep(300)
    over.abort()
    await Promise.all(working)
    for (let rounds = 0; rounds < 40 && (await countWaiting(app.db)) > 0; rounds += 1) {
      await ageOrders(app.db)
      await clock.sweep()
      await clock.readOpen()
      await sleep(150)
    }
    console.log(JSON.stringify({ ...Object.fromEntries(caller.tally), ...(await countStates(app.db)) }))
    // A late webhook may just be read.
    await expect.poll(() => countWaiting(app.db)).toBe(0)
    const parts = yards.flatMap((yard) => yard.parts)
    expect(await findOrderProblems({ db: app.db, provider: provider.db }, parts)).toEqual([])
    expect(caller.tally.get('500')).toBeUndefined()
    expect(caller.tally.get('placed')).toBeGreaterThan(purchases / 4)
  }, 180_000)
}

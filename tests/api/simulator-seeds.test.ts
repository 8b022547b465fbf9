import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type Stripe from 'stripe'
import { afterAll, describe, expect, test } from 'vitest'
import { startTestSimulator } from '#tests/support/simulator.ts'

/* Webhooks that are doubled, late or lost, decided by a seed. */

const simulator = await startTestSimulator()
const stripe = simulator.sdk()

const received: Stripe.Event[] = []
const server = createServer((request, response) => {
  void text(request).then((body) => {
    received.push(JSON.parse(body) as Stripe.Event)
    response.writeHead(200).end()
  })
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
await simulator.sendTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`)
afterAll(() => {
  server.close()
  server.closeAllConnections()
})

const NAMES = Array.from({ length: 40 }, (_, place) => `customer ${place}`)

/** What arrives of forty events, by the customers' names, in the order of arrival. */
async function arrivals(webhooks: object): Promise<string[]> {
  received.length = 0
  await simulator.behave({ webhooks })
  for (const name of NAMES) await stripe.customers.create({ name })
  await simulator.settled()
  return received.map(({ data: { object } }) => String((object as Stripe.Customer).name))
}

const sorted = (names: readonly string[]) => [...names].sort()

describe('by seed', () => {
  test('nothing happens to events without ratios', async () => {
    expect(await arrivals({ seed: 'a' })).toEqual(NAMES)
  })

  test('some are sent twice, with the same id', async () => {
    const first = await arrivals({ seed: 'a', double: 0.3 })
    const doubled = first.filter((name, place) => first.indexOf(name) !== place)
    expect(doubled.length).toBeGreaterThan(4)
    expect(doubled.length).toBeLessThan(25)
    expect(new Set(first).size).toBe(NAMES.length)
    expect(new Set(received.map(({ id }) => id)).size).toBe(NAMES.length)
    expect(sorted(await arrivals({ seed: 'a', double: 0.3 }))).toEqual(sorted(first))
    expect(sorted(await arrivals({ seed: 'b', double: 0.3 }))).not.toEqual(sorted(first))
  })

  test('some are never sent, although the list of events has them', async () => {
    const first = await arrivals({ seed: 'a', drop: 0.25 })
    expect(first.length).toBeGreaterThan(20)
    expect(first.length).toBeLessThan(38)
    const { data } = await stripe.events.list({ limit: NAMES.length })
    const listed = data.map(({ data: { object } }) => String((object as Stripe.Customer).name))
    expect(listed.reverse()).toEqual(NAMES)
    expect(await arrivals({ seed: 'a', drop: 0.25 })).toEqual(first)
    expect(await arrivals({ seed: 'b', drop: 0.25 })).not.toEqual(first)
    expect(await arrivals({ seed: 'a', drop: 1 })).toEqual([])
  })

  test('some are overtaken, and all arrive', async () => {
    const shuffled = await arrivals({ seed: 'a', shuffle: 0.5, shuffleMs: 800 })
    expect(shuffled).not.toEqual(NAMES)
    expect(sorted(shuffled)).toEqual(sorted(NAMES))
  })

  test('a share is 0 to 1', async () => {
    await expect(simulator.behave({ webhooks: { drop: 1.1 } })).rejects.toThrow('drop')
  })
})

import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './attack.ts'
import { inWords, whileProbed } from './probe.ts'

/* More requests than anyone needs, from one address. */

const MOST_P99_MS = 250
const FLOOD_MS = 15_000
const AT_ONCE = 60

/** Asks on many connections at once until the time is over; returns how many of each status came back. */
async function flood(ask: (number: number) => Promise<Response>): Promise<Map<number, number>> {
  const statuses = new Map<number, number>()
  const end = performance.now() + FLOOD_MS
  let number = 0
  const client = async () => {
    while (performance.now() < end) {
      number += 1
      const status = await ask(number).then(
        async (reply) => {
          await reply.arrayBuffer()
          return reply.status
        },
        () => 0,
      )
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  return statuses
}

const counted = (statuses: ReadonlyMap<number, number>) =>
  [...statuses].map(([status, count]) => `${count} × ${status || 'none'}`).join(', ')

function documentFlood(path: string): Attack {
  return {
    name: `a flood of ${path}`,
    async run({ url }) {
      let statuses = new Map<number, number>()
      const noticed = await whileProbed(url, '/readyz', async () => {
        statuses = await flood(() => fetch(url + path, { headers: { 'accept-encoding': 'gzip' } }))
      })
      return {
        held: noticed.failures === 0 && noticed.p99Ms < MOST_P99_MS,
        figure: `${counted(statuses)}; /readyz ${inWords(noticed)}`,
      }
    },
  }
}

const junkPaths: Attack = {
  name: 'metrics do not grow with junk paths',
  async run({ url }) {
    const sizeOf = async () => (await (await fetch(`${url}/metrics`)).text()).length
    const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD']
    const paths = ['', '/api', '/api/auto-part', '/api/seller/parts', '/api/admin/users', '/api/landing/make']
    await flood((n) =>
      fetch(`${url}${paths[n % paths.length]}/junk-${randomUUID()}`, {
        method: methods[n % methods.length] ?? 'GET',
      }),
    )
    const size = await sizeOf()
    return { held: size < 300_000, figure: `${Math.round(size / 1000)} kB of metrics` }
  },
}

const PASSWORD = 'Sable-quay-and-lantern-7'
const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) })

const registrations: Attack = {
  name: '480 registrations at once do not keep anyone from signing in',
  async run({ url }) {
    const known = { name: 'Ruth Known', email: `ruth-${randomUUID()}@yard.example`, password: PASSWORD }
    await post(`${url}/api/register`, known)
    const statuses = new Map<number, number>()
    const register = async () => {
      const account = { name: 'Crowd', email: `crowd-${randomUUID()}@yard.example`, password: PASSWORD }
      const { status } = await post(`${url}/api/register`, account).catch(() => ({ status: 0 }))
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    const crowd = Promise.all(Array.from({ length: 480 }, register))
    await sleep(200)
    const waits: number[] = []
    for (let n = 0; n < 10; n += 1) {
      const startedAt = performance.now()
      const { status } = await post(`${url}/api/login`, known)
      waits.push(status === 200 ? performance.now() - startedAt : Number.POSITIVE_INFINITY)
    }
    await crowd
    const longest = Math.round(Math.max(...waits))
    return {
      held: longest < 2_000,
      figure: `longest of 10 sign-ins ${longest} ms; registrations: ${counted(statuses)}`,
    }
  },
}

export const floods: readonly Attack[] = [
  documentFlood('/api/openapi.json'),
  documentFlood('/metrics'),
  documentFlood('/api/docs/static/swagger-ui-bundle.js'),
  documentFlood('/api/carmodels'),
  junkPaths,
  registrations,
]

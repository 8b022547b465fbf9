import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import type { CarModel, Category, Manufacturer } from '#contract/lookups.ts'

/* People who attack, and those they attack: over HTTP only, as anyone could. */

export type Reply = { status: number; body: unknown; text: string; setCookie: string; ms: number }

type Asked = {
  method?: string
  /** Below the installation's address, with `/api`. */
  path: string
  token?: string | undefined
  /** Sent as JSON; a text or bytes as they are. */
  body?: unknown
  headers?: Record<string, string>
  /** One of this machine's own addresses, 127.0.0.1 to 127.255.255.254, to come from. */
  from?: string
}

// Nothing that we ask for may take this long.
const GIVE_UP_MS = 30_000

/** Sends a request; a connection that breaks or hangs has status 0. */
export function ask(
  url: string,
  { method = 'GET', path, token, body, headers, from }: Asked,
): Promise<Reply> {
  const { hostname, port } = new URL(url)
  const sent =
    body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body)
  const began = performance.now()
  return new Promise((resolve) => {
    const end = (status: number, text = '', setCookie = '') =>
      resolve({ status, text, body: parsed(text), setCookie, ms: performance.now() - began })
    const sending = request(
      {
        hostname,
        port,
        method,
        path,
        ...(from !== undefined && { localAddress: from }),
        // A connection of its own: an attacker's is not reused by the next.
        agent: false,
        timeout: GIVE_UP_MS,
        headers: {
          ...(sent !== undefined && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(sent),
          }),
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...headers,
        },
      },
      (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.on('error', () => end(0))
        response.on('end', () => {
          const cookies = response.headers['set-cookie'] ?? []
          end(response.statusCode ?? 0, Buffer.concat(parts).toString(), cookies.join('; '))
        })
      },
    )
    sending.on('timeout', () => sending.destroy())
    sending.on('error', () => end(0))
    sending.end(sent)
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type Person = { name: string; email: string; password: string }

export function newPerson(changes: Partial<Person> = {}): Person {
  const mark = randomBytes(6).toString('hex')
  return {
    name: 'Dana Whitfield',
    email: `attack-${mark}@yard.example`,
    password: `${mark}-Sable-quay`,
    ...changes,
  }
}

export const signIn = (url: string, { email, password }: Person, more: Partial<Asked> = {}): Promise<Reply> =>
  ask(url, { method: 'POST', path: '/api/login', body: { email, password }, ...more })

/** A new account, signed in. */
export async function register(
  url: string,
  changes: Partial<Person> = {},
): Promise<{ person: Person; token: string; cookie: string }> {
  const person = newPerson(changes)
  await expectStatus(201, ask(url, { method: 'POST', path: '/api/register', body: person }))
  const reply = await expectStatus(200, signIn(url, person))
  const { token } = reply.body as { token: string }
  return { person, token, cookie: reply.setCookie.split(';')[0] ?? '' }
}

/** What an attack needs before it can begin; anything else ends it. */
async function expectStatus(wanted: number, asked: Promise<Reply>): Promise<Reply> {
  const reply = await asked
  if (reply.status === wanted) return reply
  throw new Error(`could not prepare the attack: status ${reply.status}, ${reply.text.slice(0, 200)}`)
}

export type Part = { id: string; partslug: string }

type Lookups = { category?: Category; manufacturer?: Manufacturer; model?: CarModel }
/** By installation: ids differ. */
const known = new Map<string, Lookups>()

async function lookupsOf(url: string): Promise<Lookups> {
  const before = known.get(url)
  if (before) return before
  const read = async (path: string) => (await ask(url, { path })).body
  const [category] = (await read('/api/categories')) as Category[]
  const manufacturers = (await read('/api/manufacturers')) as Manufacturer[]
  const manufacturer = manufacturers.find(({ manuname }) => manuname === 'Ford')
  const [model] = (await read(`/api/carmodels?manuId=${manufacturer?.id}`)) as CarModel[]
  const found = {
    ...(category && { category }),
    ...(manufacturer && { manufacturer }),
    ...(model && { model }),
  }
  known.set(url, found)
  return found
}

/** A quick listing with these fields. */
export async function listPart(
  url: string,
  token: string,
  changes: Record<string, unknown> = {},
): Promise<Reply> {
  const { category, manufacturer, model } = await lookupsOf(url)
  const body = {
    partname: 'Alternator',
    partdesc: 'Tested on the bench, 130 A, pulley turns freely.',
    partcategoryId: category?.id,
    partmanuId: manufacturer?.id,
    partmodel: model?.carname,
    partmodelId: model?.id,
    parttrim: 'XLT',
    partmiles: '84000',
    partdamage: 'None',
    partyear: '2014',
    partgrade: 'A',
    partnum: 'DL3Z-10346-A',
    partprice: '95.50',
    partcity: 'Tulsa',
    partstate: 'OK',
    zipcode: '74103',
    partdealer: 'Whitfield Auto Salvage',
    phonea: '(918) 555-0142',
    ...changes,
  }
  return ask(url, { method: 'POST', path: '/api/seller/quick-listings', token, body })
}

export async function mustListPart(url: string, token: string): Promise<Part> {
  return (await expectStatus(201, listPart(url, token))).body as Part
}

/** "401 (12), 429 (188)". */
export function statusesInWords(statuses: readonly number[]): string {
  const counts = Map.groupBy(statuses.toSorted(), (status) => status)
  return [...counts].map(([status, { length }]) => `${status || 'no reply'} (${length})`).join(', ')
}

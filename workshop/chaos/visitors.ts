import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { restrictionsOf } from '#contract/listing/restricted-parts.ts'
import { openDatabase } from '#server/platform/database/database.ts'

/* Buyers and sellers in a hurry, for drills of several processes, and a look at what is left of their work. */

export type Tally = {
  sent: number
  /** Visitors who have signed in and begun. */
  entered: number
  /** Stock numbers whose creation was confirmed. */
  readonly created: Set<string>
  readonly failures: string[]
  slowestMs: number
}

type Load = {
  readonly address: string
  readonly tally: Tally
  readonly signal: AbortSignal
  readonly pauseMs: number
}
type Call = (
  method: string,
  path: string,
  body?: object,
  key?: string,
) => Promise<{ status: number; text: string }>

/** A caller with an address of its own. Whatever is not a success is counted as a failure; nothing is thrown. */
function caller({ address, tally, pauseMs }: Load, client: number, session: { token: string }): Call {
  return async (method, path, body, key) => {
    const begin = performance.now()
    const headers = {
      'x-forwarded-for': addressOf(client),
      ...(session.token && { authorization: `Bearer ${session.token}` }),
      ...(body && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
    }
    tally.sent += 1
    try {
      const reply = await fetch(address + path, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await reply.text()
      if (reply.status >= 400) tally.failures.push(`${method} ${path}: ${reply.status} ${text.slice(0, 200)}`)
      return { status: reply.status, text }
    } catch (error) {
      tally.failures.push(
        `${method} ${path}: ${error instanceof Error ? `${error.message} ${error.cause}` : error}`,
      )
      return { status: 0, text: '{}' }
    } finally {
      tally.slowestMs = Math.max(tally.slowestMs, performance.now() - begin)
      await sleep(pauseMs)
    }
  }
}

const PUBLIC_PATHS = ['/', '/parts', '/parts?q=alternator', '/api/parts?perPage=24&facets=1']

const PART = {
  partname: 'Alternator',
  partdesc: 'Tested on the bench, 130 A, pulley turns freely.',
  parttrim: 'XLT',
  partyear: '2014',
  partgrade: 'A',
  partnum: 'DL3Z-10346-A',
  partmiles: '84000',
  partdamage: 'None',
  partprice: '95.50',
  partcity: 'Tulsa',
  partstate: 'OK',
  zipcode: '74103',
  partdealer: 'Whitfield Auto Salvage',
  phonea: '(918) 555-0142',
}

// One address may ask for 60 emails an hour.
const MAIL_EVERY_MS = 2 * 60_000

const UNLICENSED = { license: false, certified: false }

/** Signs up or in, again and again while too many others do: hashing passwords takes a core as long as it takes. */
async function enter({ address, signal }: Load, client: number, path: string, body: object): Promise<string> {
  for (;;) {
    const reply = await fetch(address + path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': addressOf(client) },
      body: JSON.stringify(body),
      signal,
    })
    const text = await reply.text()
    if (reply.ok) return text
    if (reply.status !== 503) throw new Error(`${path}: ${reply.status} ${text}`)
    await sleep(500 + 1_000 * Math.random())
  }
}

const addressOf = (client: number) => `198.51.100.${client + 1}`

/** One visitor and seller: reads public pages, creates listings, edits and reads them, until told to stop. */
async function visit(load: Load, client: number): Promise<void> {
  const session = { token: '' }
  const call = caller(load, client, session)
  const read = async (path: string) => JSON.parse((await call('GET', path)).text)
  const person = { email: `visitor-${client}@yard.example`, password: 'Sable-quay-and-lantern' }
  await enter(load, client, '/api/register', { ...person, name: 'Dana Whitfield' })
  session.token = JSON.parse(await enter(load, client, '/api/login', person)).token
  const all: { id: string; name: string }[] = await read('/api/categories')
  const categories = all.filter(
    ({ name }) => restrictionsOf({ ...PART, category: name }, UNLICENSED).length === 0,
  )
  const makes: { id: string; manuname: string }[] = await read('/api/manufacturers')
  const partmanuId = makes.find(({ manuname }) => manuname === 'Ford')?.id
  const [model] = await read(`/api/carmodels?manuId=${partmanuId}`)
  const part = { ...PART, partmanuId, partmodelId: model.id, partmodel: model.carname }
  load.tally.entered += 1
  let mailAt = 0
  for (let turn = 0; !load.signal.aborted; turn += 1) {
    for (const path of PUBLIC_PATHS) await call('GET', path)
    const stocknum = `R-${client}-${turn}`
    const partcategoryId = categories[turn % categories.length]?.id
    const made = await createOnce(call, load, { ...part, stocknum, partcategoryId })
    if (made === undefined) continue
    load.tally.created.add(stocknum)
    await call('PUT', `/api/seller/parts/${made.id}`, { partprice: 100 + turn })
    for (const path of [`/parts/${made.partslug}`, '/api/seller/parts', '/api/auth-check'])
      await call('GET', path)
    if (Date.now() < mailAt) continue
    // An email, which is a job.
    await call('POST', '/api/password-reset', { email: person.email })
    mailAt = Date.now() + MAIL_EVERY_MS
  }
}

const TRIES = 20

/** Repeats the call with its key as long as nobody answered it, as a good client does. */
async function createOnce(
  call: Call,
  { signal }: Load,
  body: Readonly<Record<string, unknown>> & { readonly stocknum: string },
): Promise<{ id: string; partslug: string } | undefined> {
  for (let tried = 0; tried < TRIES && !signal.aborted; tried += 1) {
    const { status, text } = await call('POST', '/api/seller/quick-listings', body, `create-${body.stocknum}`)
    if (status === 201) return JSON.parse(text)
    if (status !== 0 && status < 500) return undefined
    await sleep(250)
  }
  return undefined
}

/** Sends visitors to an address until `stop`, each a request every `pauseMs` at most. */
export function startVisitors(address: string, { clients, pauseMs }: { clients: number; pauseMs: number }) {
  const tally: Tally = { sent: 0, entered: 0, created: new Set(), failures: [], slowestMs: 0 }
  const end = new AbortController()
  const load: Load = { address, tally, signal: end.signal, pauseMs }
  const visits = Array.from({ length: clients }, (_, client) => visit(load, client))
  // A visitor who cannot go on is a failure like any other.
  const over = Promise.all(visits).catch((error: unknown) =>
    tally.failures.push(`a visitor gave up: ${error}`),
  )
  return {
    tally,
    async stop() {
      end.abort()
      await over
    },
  }
}

// Mails are sent within a second or two of being queued; the job of a killed worker goes to another after 30 s.
const JOBS_MS = 60_000

/** Waits for the jobs, then compares what was confirmed with what is stored. */
export async function inspectWork(
  url: string,
  { created }: Tally,
): Promise<{ words: string; isWell: boolean }> {
  const { db, close } = openDatabase(url, { max: 1, applicationName: 'chaos' })
  try {
    const unfinished = async () => {
      const { rows } = await sql`
        select from job where status in ('queued', 'running', 'retrying') and run_after <= now() limit 1`.execute(
        db,
      )
      return rows.length > 0
    }
    for (const deadline = Date.now() + JOBS_MS; Date.now() < deadline && (await unfinished()); )
      await sleep(500)
    const { rows: kept } = await sql<{ stocknum: string }>`
      select stock_number as stocknum from listing
      where stock_number like 'R-%' and deleted_at is null`.execute(db)
    const { rows: jobs } = await sql<{ status: string; count: number }>`
      select status, count(*) as count from job group by 1 order by 1`.execute(db)
    const stored = new Set(kept.map(({ stocknum }) => stocknum))
    const lost = [...created].filter((stocknum) => !stored.has(stocknum)).length
    const doubled = kept.length - stored.size
    const ended = jobs.map(({ status, count }) => `${count} ${status}`).join(', ')
    return {
      words: `${created.size} listings created, ${lost} lost, ${doubled} doubled; jobs: ${ended}`,
      isWell: created.size > 0 && lost + doubled === 0 && jobs.every(({ status }) => status === 'completed'),
    }
  } finally {
    await close()
  }
}

/** Prints what happens with the seconds since the start. */
export function narrator(): (words: string) => void {
  const begin = Date.now()
  return (words) => console.log(`${String(Math.round((Date.now() - begin) / 1_000)).padStart(4)} s  ${words}`)
}

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { NODE_FLAGS } from '#server/platform/processes/supervised-child.ts'
import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import type { DemoDatabase } from './demo-database.ts'
import { postmasterOf, timeOfChildren } from './different-pages.ts'
import type { LoadFigures } from './http-load.ts'
import { HEAP_FLAG, withHelpers } from './programs.ts'
import { figure, markdownTable, median, megabytes, type Target } from './report.ts'
import type { Steady, TypedFigures, TypedOrder } from './typed-load.ts'

/*
 * Searches as buyers type them, at a steady rate and no two alike, while prices are edited. Half have a side or an end, a
 * third a year, a tenth a slip of the finger. And what a side costs the first time that it is searched for.
 */

export const TYPED = 'as typed'
const EDITS_PER_SECOND = 8
const FIRST_TIMES = 200
// Other work on the machine slows down both alike.
const TURNS = 5
const FLAGS = [...NODE_FLAGS, HEAP_FLAG, '--expose-gc']

const sides = [
  'left',
  'right',
  'driver side',
  'passenger side',
  'lh',
  'rh',
  'front',
  'rear',
  'front left',
  'rear right',
]

type Drawn = { part: string; make: string; model: string; year: number }

type TypedSearch = Drawn & { side: string | undefined }

// Enough that each search is another one.
const LOOKED_AT = 100_000

/** Listings for sale, some of the newest and of all others, so that what is asked for exists. */
async function drawListings(db: Db, count: number): Promise<Drawn[]> {
  const { rows } = await sql<Drawn>`
    select distinct on (part, make, model, year) part, make, model, year
    from (
      select lower(c.name) as part, lower(l.manufacturer_name) as make, lower(l.model_name) as model, l.year_from as year
      from (select * from listing order by id desc limit ${LOOKED_AT}) l join category c on c.id = l.category_id
      where l.status = 'ACTIVE' and l.ended_at is null and l.deleted_at is null and l.model_name <> ''
    ) l
    order by part, make, model, year
  `.execute(db)
  const random = seededRandom('searches as typed')
  const shuffled = rows.map((row) => ({ row, place: random.next() })).sort((a, b) => a.place - b.place)
  return shuffled.slice(0, count).map(({ row }) => row)
}

/** A side belongs to the part: "2012 toyota camry left fender". */
function textOf({ part, make, model, year, side }: TypedSearch, hasYear: boolean): string {
  return [hasYear ? String(year) : '', make, model, side ?? '', part].filter((word) => word !== '').join(' ')
}

/** Two letters swapped in one of the longer words. */
function misspell(text: string, random: Random): string {
  const words = text.split(' ').filter((word) => /^[a-z]{5,}$/.test(word))
  if (words.length === 0) return text
  const word = random.pick(words)
  const at = random.whole(1, word.length - 3)
  return text.replace(word, word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2))
}

function drawTexts(drawn: readonly Drawn[]): string[] {
  const random = seededRandom('what buyers type')
  const texts = drawn.map((one, at) => {
    const side = at % 2 === 0 ? random.pick(sides) : undefined
    const text = textOf({ ...one, side }, at % 3 === 0)
    return at % 10 === 0 ? misspell(text, random) : text
  })
  return [...new Set(texts)]
}

/** What buyers type, no two alike. */
export async function drawSearches(db: Db, count: number): Promise<string[]> {
  // Some may be the same text.
  return drawTexts(await drawListings(db, 2 * count)).slice(0, count)
}

const pathOf = (q: string) => `/api/parts?${new URLSearchParams({ q, facets: '1', perPage: '24' })}`

/** A part for any vehicle has the most matches, one for a make fewer. */
function firstTimes(drawn: readonly Drawn[]): { without: string[]; withSide: string[] } {
  const random = seededRandom('first times')
  const plain = [...new Set(drawn.flatMap((one) => [one.part, `${one.make} ${one.part}`]))].slice(
    0,
    FIRST_TIMES,
  )
  return {
    without: plain.map(pathOf),
    withSide: plain.map((text) => pathOf(`${random.pick(['left', 'right', 'front', 'rear'])} ${text}`)),
  }
}

type FirstTime = Pick<LoadFigures, 'p50' | 'p95' | 'p99'> & { cpuMs: number }

const together = (turns: readonly FirstTime[]): FirstTime => {
  const of = (figureOf: (one: FirstTime) => number) => median(turns.map(figureOf))
  return {
    p50: of(({ p50 }) => p50),
    p95: of(({ p95 }) => p95),
    p99: of(({ p99 }) => p99),
    cpuMs: turns.reduce((sum, { cpuMs }) => sum + cpuMs, 0) / turns.length,
  }
}

export type MeasuredTyped = TypedFigures & {
  rows: number
  perSecond: number
  without: FirstTime
  withSide: FirstTime
  /** Processor time of all searches at the steady rate, with what went beside them, for each search. */
  cpuMs: number
  /** Bytes in use before the first search, and after the last. */
  heap: { before: number; after: number }
}

type Asked = { rows: number; seconds: number; perSecond: number; token: string; sellerId: string }

export function measureTyped(
  { url: databaseUrl, dataDir, database: { db } }: DemoDatabase,
  { rows, seconds, perSecond, token, sellerId }: Asked,
): Promise<MeasuredTyped> {
  return withHelpers(async (start) => {
    const drawn = await drawListings(db, seconds * perSecond)
    const app = start('lists-server.ts', FLAGS)
    const port = await app.ask<number>({ databaseUrl, dataDir })
    const postmaster = await postmasterOf(dataDir)
    const client = start('http-load.ts')
    const spent = async () => (await app.ask<number>({ spent: true })) + (await timeOfChildren(postmaster))
    const first = async (paths: string[]): Promise<FirstTime> => {
      const before = await spent()
      const order = { port, paths, token: '', connections: 1, warmupMs: 0, ms: 300_000, most: paths.length }
      const figures = await client.ask<LoadFigures>(order)
      return { ...figures, cpuMs: ((await spent()) - before) / paths.length }
    }
    await untilReady(port)
    const heap = { before: await app.ask<number>({ heap: true }), after: 0 }
    const { without, withSide } = firstTimes(drawn)
    const turns = []
    for (let at = 0; at < FIRST_TIMES; at += FIRST_TIMES / TURNS) {
      const some = (paths: string[]) => first(paths.slice(at, at + FIRST_TIMES / TURNS))
      turns.push({ without: await some(without), withSide: await some(withSide) })
    }
    const once = {
      without: together(turns.map((turn) => turn.without)),
      withSide: together(turns.map((turn) => turn.withSide)),
    }
    const { rows: own } = await sql<{ id: string }>`
      select id from listing where seller_id = ${sellerId} and status = 'ACTIVE' and ended_at is null and deleted_at is null
      order by id desc limit 1000`.execute(db)
    const spentBefore = await spent()
    const figures = await start('typed-load.ts').ask<TypedFigures>({
      port,
      paths: drawTexts(drawn).map(pathOf),
      perSecond,
      token,
      edited: own.map(({ id }) => id),
      editsPerSecond: EDITS_PER_SECOND,
    } satisfies TypedOrder)
    const cpuMs = ((await spent()) - spentBefore) / figures.searches.times
    heap.after = await app.ask<number>({ heap: true })
    return { rows, perSecond, ...figures, ...once, cpuMs, heap }
  })
}

/** As a load balancer does: a machine that is busy with others takes longer to read what a process needs once. */
async function untilReady(port: number): Promise<void> {
  for (const began = performance.now(); ; await sleep(500)) {
    if ((await fetch(`http://127.0.0.1:${port}/readyz`)).ok) return
    if (performance.now() - began > 60_000) throw new Error('not ready after a minute')
  }
}

/* Tables and targets */

const MOST_P99_MS = 250
const MOST_READY_P99_MS = 100
const MOST_SUGGESTIONS_P95_MS = 30
const MOST_OF_WITHOUT = 2

const milliseconds = (ms: number) => ms.toFixed(ms < 10 ? 2 : 1)

export function typedTable({ searches, ready, edits, suggestions, ...one }: MeasuredTyped): string {
  const row = (name: string, { times, p50, p95, p99, longest, failed }: Steady) => [
    name,
    figure(times),
    ...[p50, p95, p99, longest].map(milliseconds),
    String(failed),
  ]
  const steady = markdownTable('requests,times,p50 ms,p95,p99,longest,failed'.split(','), [
    row(`searches, ${one.perSecond} a second`, searches),
    row(`price edits, ${EDITS_PER_SECOND} a second`, edits),
    row('suggestions, 5 a second', suggestions),
    row('/readyz, 10 a second', ready),
  ])
  const once = (name: string, { p50, p95, p99, cpuMs }: FirstTime) => [
    name,
    ...[p50, p95, p99, cpuMs].map(milliseconds),
  ]
  const first = markdownTable(`${FIRST_TIMES} pages the first time,p50 ms,p95,p99,processor ms`.split(','), [
    once('a part, a make and a part', one.without),
    once('the same with a side or an end', one.withSide),
  ])
  const { before, after } = one.heap
  return `${steady}

Processor time ${milliseconds(one.cpuMs)} ms a search, with all that went beside. Heap of the api ${megabytes(before)} once it was
ready and ${megabytes(after)} after all searches, with ${HEAP_FLAG}.

${first}`
}

export function typedTargets({
  rows,
  searches,
  ready,
  edits,
  suggestions,
  ...once
}: MeasuredTyped): Target[] {
  const title = `${TYPED}, ${figure(rows)} listings`
  const within = (name: string, found: number, most: number): Target => ({
    name: `${title}: ${name}`,
    found: `${milliseconds(found)} ms`,
    wanted: `≤ ${most} ms`,
    isMet: found <= most,
  })
  const failed = [searches, ready, edits, suggestions].reduce((sum, one) => sum + one.failed, 0)
  const side = once.withSide.cpuMs / once.without.cpuMs
  return [
    within('searches, p99', searches.p99, MOST_P99_MS),
    within('/readyz, p99', ready.p99, MOST_READY_P99_MS),
    within('suggestions, p95', suggestions.p95, MOST_SUGGESTIONS_P95_MS),
    { name: `${title}: failed`, found: String(failed), wanted: '0', isMet: failed === 0 },
    {
      name: `${title}: processor time of a side the first time`,
      found: `${side.toFixed(1)}×`,
      wanted: `≤ ${MOST_OF_WITHOUT}×`,
      isMet: side <= MOST_OF_WITHOUT,
    },
  ]
}

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import { type Random, seededRandom } from '#server/platform/seeded-random.ts'
import type { DemoDatabase } from './demo-database.ts'
import type { LoadFigures, LoadOrder } from './http-load.ts'
import type { BarePage, Statement } from './lists-server.ts'
import { type Helper, withHelpers } from './programs.ts'
import { atLeast, figure, markdownTable, median, percent, type Target } from './report.ts'

/* Pages as different visitors ask for them: reads that are shared make one page on every connection look faster than life. */

const PAGES = 200
const PER_PAGE = 24

/** Pages of one kind. */
type DifferentPages = {
  name: string
  paths: string[]
  /** The pages that these must not cost twice as much as. */
  beside?: string
}

type Drawn = { word: string; categoryId: string; zip: string | null }

/** Always the same pages of the same stock. */
async function drawPages(db: Db): Promise<DifferentPages[]> {
  const random = seededRandom('lists of different pages')
  const drawn = await drawWords(db)
  const path = (filters: Record<string, string>, base = '/api/parts') =>
    `${base}?${new URLSearchParams({ ...filters, perPage: String(PER_PAGE) })}`
  const wordAndCategory = ({ word, categoryId }: Drawn) => ({ q: word, categoryId })
  const paths = (filtersOf: (one: Drawn) => Record<string, string>) =>
    drawn.map((one) => path(filtersOf(one)))
  const plain = 'word and category'
  const number = 'part number'
  const numbers = async (isLinked: boolean) =>
    (await drawNumbers(db, isLinked)).map((partNumber) => path({ q: partNumber }))
  return [
    { name: plain, paths: paths(wordAndCategory) },
    {
      name: 'with facets',
      paths: paths((one) => ({ ...wordAndCategory(one), facets: '1' })),
      beside: plain,
    },
    {
      name: 'vehicle',
      paths: (await drawVehicles(db)).map((vehicle) => path(vehicle)),
      beside: plain,
    },
    { name: number, paths: await numbers(false) },
    { name: 'part number that interchanges', paths: await numbers(true), beside: number },
    { name: 'words alone', paths: paths(({ word }) => ({ q: word })) },
    {
      name: 'typo in the word',
      paths: paths((one) => ({ ...wordAndCategory(one), q: misspell(one.word, random) })),
    },
    {
      name: 'within 100 miles, nearest first',
      paths: paths((one) => ({
        ...wordAndCategory(one),
        zip: one.zip ?? '74103',
        radius: '100',
        sort: 'nearest',
      })),
    },
    {
      name: SUGGESTIONS,
      paths: drawn.map(
        ({ word }) => `/api/search/suggestions?${new URLSearchParams({ q: word.slice(0, 4) })}`,
      ),
    },
    { name: 'HTML', paths: drawn.map((one) => path(wordAndCategory(one), '/parts')) },
  ]
}

// Enough to know which words are frequent.
const LOOKED_AT = 100_000

/** Words of parts' names or their makes, each with a category in which it fills a page (as far as there are enough). */
async function drawWords(db: Db): Promise<Drawn[]> {
  const { rows } = await sql<Drawn>`
    with newest as (
      select id, name, manufacturer_name, category_id, zip from listing
      where category_id is not null and status = 'ACTIVE' and ended_at is null and deleted_at is null
      order by id desc limit ${LOOKED_AT}
    )
    select word, category_id as "categoryId", max(zip) as zip
    from newest cross join lateral (
      select distinct word from regexp_split_to_table(lower(name || ' ' || manufacturer_name), '[^a-z]+') word
      where length(word) > 3
    ) words
    group by word, category_id
    order by count(*) >= ${PER_PAGE} desc, md5(word || category_id) limit ${PAGES}
  `.execute(db)
  return rows
}

/** As in the picker: the year, make and model of parts for sale. */
async function drawVehicles(db: Db): Promise<Record<'year' | 'manuId' | 'modelId', string>[]> {
  const { rows } = await sql<Record<'year' | 'manuId' | 'modelId', string>>`
    select year_from::text as year, manufacturer_id as "manuId", car_model_id as "modelId"
    from (select * from listing where car_model_id is not null order by id desc limit ${LOOKED_AT}) newest
    group by year_from, manufacturer_id, car_model_id order by md5(year_from || car_model_id::text) limit ${PAGES}
  `.execute(db)
  return rows
}

/** Numbers of parts for sale that interchange with others, or that are in no group. */
async function drawNumbers(db: Db, isLinked: boolean): Promise<string[]> {
  const claims = sql`select from interchange_claim where part_number_key(newest.number) in (number_key, other_key)`
  const { rows } = await sql<{ number: string }>`
    select number from (
      select distinct part_number as number from (select * from listing order by id desc limit ${LOOKED_AT}) l
      where links_parts(part_number) and status = 'ACTIVE' and ended_at is null
    ) newest
    where ${isLinked ? sql`exists` : sql`not exists`} (${claims}) order by md5(number) limit ${PAGES}
  `.execute(db)
  return rows.map(({ number }) => number)
}

/** With two letters swapped, as fast fingers do. */
function misspell(word: string, random: Random): string {
  const at = random.whole(1, Math.max(1, word.length - 3))
  return word.slice(0, at) + word.charAt(at + 1) + word.charAt(at) + word.slice(at + 2)
}

export type MeasuredDifferent = {
  rows: number
  name: string
  beside: string | undefined
  /** The first time that each page is asked for, over one connection. */
  cold: LoadFigures
  /** The same bytes without a database. */
  bare: LoadFigures
  /** The statements that the app runs for the page, for HTML the first time, and nothing else. */
  statement: Timed
  ours: Timed
  /** One page on every connection. */
  same: LoadFigures
  /** As `ours`, but with brotli, which the app keeps replies in; undefined for calls that nobody may keep, and for HTML. */
  kept: LoadFigures | undefined
  /** `renderToString` of the cards alone, over one connection as the first time; undefined for JSON. */
  render: LoadFigures | undefined
  /** The same, each after the statements of its page. */
  readAndRender: LoadFigures | undefined
  /** With the ETag of the page that the reader has; undefined if there is none. */
  known: LoadFigures | undefined
}

/** With the processor time that a page takes its server and the database, which other work on the machine changes least. */
type Timed = LoadFigures & { cpuMs: number }

const CONNECTIONS = 16
// Both sides take turns, so that other work on the machine slows down both. Medians.
const TURNS = 5
// Each page is asked for a few times before: a search that is known is read in another way (decision 7).
const WARMUP_MS = 4_000

type Measuring = { rows: number; only: string; ms: number }

/** Measures all kinds of pages that the program has. */
export function measureDifferent(made: DemoDatabase, asked: Measuring): Promise<MeasuredDifferent[]> {
  const { url: databaseUrl, dataDir } = made
  return withHelpers(async (start) => {
    const client = start('http-load.ts')
    const serve = async () => {
      const app = start('lists-server.ts')
      return { app, port: await app.ask<number>({ databaseUrl, dataDir }) }
    }
    const { app, port } = await serve()
    const load = async (order: Pick<LoadOrder, 'port' | 'paths'> & Partial<LoadOrder>) => {
      const whole = { token: '', connections: CONNECTIONS, warmupMs: WARMUP_MS, ms: asked.ms, ...order }
      const figures = await client.ask<LoadFigures>(whole)
      if (figures.failures > 0) throw new Error(`${figures.failures} requests of ${order.paths[0]} failed`)
      return figures
    }
    const loadIf = async (isAsked: boolean, order: Parameters<typeof load>[0]) =>
      isAsked ? load(order) : undefined
    const databasePid = await postmasterOf(dataDir)
    const timed = async (server: Helper, order: Pick<LoadOrder, 'port' | 'paths'>): Promise<Timed> => {
      const spent = async () =>
        (await server.ask<number>({ spent: true })) + (await timeOfChildren(databasePid))
      const before = await spent()
      const ms = asked.ms / TURNS
      const figures = await load({ ...order, warmupMs: 0, ms })
      return { ...figures, cpuMs: ((await spent()) - before) / ((figures.perSecond * ms) / 1_000) }
    }
    const measure = async ({ name, paths, beside }: DifferentPages): Promise<MeasuredDifferent> => {
      const cold = await load({ port, paths, connections: 1, warmupMs: 0, ms: 60_000, most: paths.length })
      await load({ port, paths, ms: 100 })
      const first = await fetch(`http://127.0.0.1:${port}${paths[0]}`)
      const isHtml = first.headers.get('content-type') === 'text/html; charset=utf-8'
      const html = isHtml ? { html: await first.text() } : {}
      // Once a page is rendered it needs no statement any more.
      const recorder = isHtml ? await serve() : { app, port }
      const runs = await recorder.app.ask<Statement[][]>({ port: recorder.port, record: paths })
      const pages: BarePage[] = [{ name: 'page', bytes: cold.bytes, runs, ...html }]
      const helper = start('lists-server.ts')
      const at = { port: await helper.ask<number>({ databaseUrl, dataDir, pages }), warmupMs: 1_000 }
      const bare = await load({ ...at, paths: ['/bare/page'] })
      const alone = (path: string) => loadIf(isHtml, { ...at, paths: [path], connections: 1 })
      const render = await alone('/render/page')
      const readAndRender = await alone('/both/page')
      const same = await load({ port, paths: paths.slice(0, 1), warmupMs: 1_000 })
      await load({ ...at, paths: ['/statement/page'], ms: 100 })
      const turns = []
      for (let turn = 0; turn < TURNS; turn += 1) {
        const statement = await timed(helper, { port: at.port, paths: ['/statement/page'] })
        turns.push({ statement, ours: await timed(app, { port, paths }) })
      }
      const isShared = first.headers.has('etag')
      const known = await loadIf(isShared, { port, paths, revalidate: true })
      const kept = await loadIf(isShared && !isHtml, { port, paths, packed: true })
      const sides = {
        statement: medianOf(turns.map((turn) => turn.statement)),
        ours: medianOf(turns.map((turn) => turn.ours)),
      }
      const once = { cold, bare, same, kept, render, readAndRender, known }
      return { rows: asked.rows, name, beside, ...once, ...sides }
    }
    const measured: MeasuredDifferent[] = []
    for (const pages of await drawPages(made.database.db)) {
      const isAsked = new RegExp(asked.only).test(`different: ${pages.name}`)
      if (isAsked && (await isThere(port, pages.paths[0] ?? ''))) measured.push(await measure(pages))
    }
    return measured
  })
}

function medianOf(turns: readonly Timed[]): Timed {
  const of = (figureOf: (one: Timed) => number) => median(turns.map(figureOf))
  return {
    perSecond: of(({ perSecond }) => perSecond),
    p50: of(({ p50 }) => p50),
    p95: of(({ p95 }) => p95),
    p99: of(({ p99 }) => p99),
    bytes: of(({ bytes }) => bytes),
    cpuMs: of(({ cpuMs }) => cpuMs),
    failures: 0,
  }
}

/** The id of the database's first process. */
export async function postmasterOf(dataDir: string): Promise<string> {
  const text = await readFile(join(dataDir, 'postgres/data/postmaster.pid'), 'utf8')
  return text.split('\n')[0] ?? ''
}

// Linux counts processor time in hundredths of a second.
const TICK_MS = 10

/** The processor time of a process's children so far, in milliseconds. */
export async function timeOfChildren(pid: string): Promise<number> {
  let ticks = 0
  for (const folder of await readdir('/proc')) {
    const stat = /^\d+$/.test(folder) ? await readFile(`/proc/${folder}/stat`, 'utf8').catch(() => '') : ''
    // After the name, which may contain anything: state, parent, …, user time, system time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    if (fields[1] === pid) ticks += Number(fields[11]) + Number(fields[12])
  }
  return ticks * TICK_MS
}

/** Whether the page exists here and has something on it. */
async function isThere(port: number, path: string): Promise<boolean> {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`)
  const text = await reply.text()
  return reply.ok && (path.startsWith('/api/') || text.includes('<article'))
}

/* Table and targets */

const LEAST_OF_STATEMENT = 0.6
const MOST_P99 = 2
const MOST_OF_BESIDE = 2
const MOST_OF_SMALL = 2
const TARGET_ROWS = 100_000
const KNOWN_TIMES = 10
const LEAST_OF_RENDER = 0.5
const SUGGESTIONS = 'suggestions'
const SUGGESTED_WITHIN_MS = 30

const milliseconds = (ms: number) => ms.toFixed(ms < 10 ? 2 : 1)

export function differentTable(measured: readonly MeasuredDifferent[]): string {
  const head =
    '200 different pages,cold p50 ms,cold p99,p50,p99,a second,bytes,from memory a second,304 a second,render a second,with statements,statements p50,p99,a second,bare a second,of statements,processor ms,of statements'
  return markdownTable(
    head.split(','),
    measured.map(({ name, cold, bare, kept, render, readAndRender, statement, ours, known }) => [
      name,
      milliseconds(cold.p50),
      milliseconds(cold.p99),
      milliseconds(ours.p50),
      milliseconds(ours.p99),
      figure(ours.perSecond),
      figure(ours.bytes),
      kept ? figure(kept.perSecond) : '',
      known ? figure(known.perSecond) : '',
      render ? figure(render.perSecond) : '',
      readAndRender ? figure(readAndRender.perSecond) : '',
      milliseconds(statement.p50),
      milliseconds(statement.p99),
      figure(statement.perSecond),
      figure(bare.perSecond),
      percent(ours.perSecond / statement.perSecond),
      `${ours.cpuMs.toFixed(2)} (${statement.cpuMs.toFixed(2)})`,
      percent(statement.cpuMs / ours.cpuMs),
    ]),
  )
}

const least = (name: string, found: number, wanted: number): Target => ({
  name,
  found: `${found.toFixed(1)}×`,
  wanted: `≥ ${wanted}×`,
  isMet: found >= wanted,
})

const times = (name: string, found: number, most: number): Target => ({
  name,
  found: `${found.toFixed(1)}×`,
  wanted: `≤ ${most}×`,
  isMet: found <= most,
})

/** Throughput at 16 connections, all in one run. */
export function differentTargets(measured: readonly MeasuredDifferent[]): Target[] {
  const smallest = Math.min(...measured.map(({ rows }) => rows))
  const find = (rows: number, name: string | undefined) =>
    measured.find((one) => one.rows === rows && one.name === name)
  return measured.flatMap((one) => {
    const { rows, name, beside } = one
    const title = `${name}, ${figure(rows)} listings`
    const small = rows > smallest && find(smallest, name)
    const growth =
      small &&
      times(
        `${title}: cost, of ${figure(smallest)}`,
        small.ours.perSecond / one.ours.perSecond,
        MOST_OF_SMALL,
      )
    const others = rows === TARGET_ROWS ? targetsAlone(one, title) : []
    const other = rows >= TARGET_ROWS && find(rows, beside)
    return [...(growth ? [growth] : []), ...others, ...(other ? targetsBeside(one, other, title) : [])]
  })
}

function targetsAlone(
  { name, cold, ours, same, statement, ...one }: MeasuredDifferent,
  title: string,
): Target[] {
  if (name === SUGGESTIONS) {
    const found = `${milliseconds(ours.p95)} ms`
    const wanted = `≤ ${SUGGESTED_WITHIN_MS} ms`
    return [{ name: `${title}: p95`, found, wanted, isMet: ours.p95 <= SUGGESTED_WITHIN_MS }]
  }
  const shared = (kind: string, figures: LoadFigures | undefined) =>
    figures
      ? [least(`${title}: ${kind}, of the first time`, figures.perSecond / cold.perSecond, KNOWN_TIMES)]
      : []
  if (one.render && one.readAndRender) {
    const share = (of: string, figures: LoadFigures) =>
      atLeast(`${title}: the first time, of ${of}`, cold.perSecond / figures.perSecond, LEAST_OF_RENDER)
    return [
      share('renderToString', one.render),
      share('its statements and renderToString', one.readAndRender),
      ...shared('from memory', ours),
      ...shared('304', one.known),
    ]
  }
  return [
    atLeast(`${title}: of its statements' route`, ours.perSecond / statement.perSecond, LEAST_OF_STATEMENT),
    times(`${title}: p99, of its statements' route`, ours.p99 / statement.p99, MOST_P99),
    times(`${title}: p99, of the same page`, ours.p99 / same.p99, MOST_P99),
    ...shared('from memory', one.kept),
  ]
}

const targetsBeside = (
  { beside, cold, ours }: MeasuredDifferent,
  other: MeasuredDifferent,
  title: string,
) => [
  times(`${title}: cost, of ${beside}`, other.ours.perSecond / ours.perSecond, MOST_OF_BESIDE),
  times(`${title}: p99, of ${beside}`, ours.p99 / other.ours.p99, MOST_OF_BESIDE),
  times(`${title}: cost the first time, of ${beside}`, other.cold.perSecond / cold.perSecond, MOST_OF_BESIDE),
]

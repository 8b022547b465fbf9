import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { Db } from '#server/platform/database/database.ts'
import type { BusyFigures, BusyOrder } from './busy-load.ts'
import { fillDemo, signInAdmin, signInLargest } from './demo-database.ts'
import type { LoadFigures, LoadOrder } from './http-load.ts'
import { type Helper, withHelpers, withInstallation } from './programs.ts'
import { figure, markdownTable, megabytes, percent, report, type Target } from './report.ts'
import { TimedImport, writeRows } from './timed-import.ts'
import type { TypedFigures, TypedOrder } from './typed-load.ts'
import { drawSearches } from './typed-searches.ts'

/*
 * How fast pages are while others write. One installation as `npm start` runs it, and in one run: 200 different pages of what
 * buyers type (half with a side or an end, a third with a year, a tenth misspelled), as HTML and as JSON, and the pages of 200
 * parts, each quietly, beside price edits, and beside an import. Then what the api weighs at rest, and how long the dearest
 * reads hold its event loop.
 */

const PAGES = 200
const CONNECTIONS = 16
const EDITS_PER_SECOND = 8
const WARMUP_MS = 3_000
// Compilation is over, and each page was read while the one before was kept.
const COLD_PAGES = 400

type Sizes = { rows: number; imported: number; seconds: number; restSeconds: number; only: RegExp }

export async function benchWrites(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      rows: { type: 'string', default: '100000' },
      imported: { type: 'string', default: '100000' },
      seconds: { type: 'string', default: '10' },
      rest: { type: 'string', default: '60' },
      only: { type: 'string', default: '' },
    },
  })
  const sizes: Sizes = {
    rows: Number(values.rows),
    imported: Number(values.imported),
    seconds: Number(values.seconds),
    restSeconds: Number(values.rest),
    only: new RegExp(values.only),
  }
  const found = await withHelpers((start) => measure(sizes, start))
  return report(
    [
      `### ${figure(sizes.rows)} listings, ${PAGES} different pages, ${CONNECTIONS} connections`,
      pagesTable(found.pages),
      `The first time, one after the other for each of ${CONNECTIONS} connections: ${figure(found.cold.perSecond)} a second, p50 ${milliseconds(found.cold.p50)} ms, p99 ${milliseconds(found.cold.p99)} ms.`,
      `Memory of the api: ${megabytes(found.memory.before)} when ready, ${megabytes(found.memory.after)} right after, ${megabytes(found.memory.rest)} after ${sizes.restSeconds} s of rest.`,
      readsTable(found.reads),
    ],
    targetsOf(found),
  )
}

type Phase = 'quiet' | 'edits' | 'import'
type MeasuredPages = {
  kind: string
  phase: Phase
  figures: LoadFigures
  /** Pages and edits. */
  failed: number
  /** 99th percentile of `/readyz` meanwhile; undefined when nothing was written. */
  readyP99: number | undefined
}
type MeasuredRead = { name: string } & BusyFigures
type Found = {
  pages: MeasuredPages[]
  cold: LoadFigures
  memory: Record<'before' | 'after' | 'rest', number>
  reads: MeasuredRead[]
}

type Start = (program: string, flags?: readonly string[]) => Helper
const PROGRAM = { path: join(import.meta.dirname, 'unlimited-program.ts'), args: [] }

/** An installation at work, and who asks it. */
type Scene = {
  sizes: Sizes
  db: Db
  address: string
  folder: string
  port: number
  kinds: Kind[]
  pages: Helper
  beside: Helper
  busy: Helper
  /** The seller whose prices are edited. */
  token: string
  edited: string[]
}

function measure(sizes: Sizes, start: Start): Promise<Found> {
  return withInstallation(
    async ({ installation, database, address, folder }) => {
      const { db } = database
      await fillDemo(database, join(folder, 'data'), { listings: sizes.rows, fitmentRows: 5 })
      const { token, sellerId } = await signInLargest(db)
      const scene: Scene = {
        sizes,
        db,
        address,
        folder,
        port: Number(new URL(address).port),
        kinds: (await drawKinds(db)).filter(({ name }) => sizes.only.test(name)),
        pages: start('http-load.ts'),
        beside: start('typed-load.ts'),
        busy: start('busy-load.ts'),
        token,
        edited: await listOwn(db, sellerId),
      }
      const pid = installation.ofRole('api')[0]?.pid ?? 0
      const memory = { before: memoryOf(pid), after: 0, rest: 0 }
      const cold = await load(scene, {
        paths: await drawCold(db),
        most: COLD_PAGES,
        warmupMs: 0,
        ms: 300_000,
      })
      const pages = [...(await measureQuietAndEdits(scene)), ...(await measureImport(scene))]
      memory.after = memoryOf(pid)
      await sleep(sizes.restSeconds * 1_000)
      memory.rest = memoryOf(pid)
      return { pages, cold, memory, reads: await measureReads(scene) }
    },
    { program: PROGRAM, settings: { APP_MODE: 'demo' } },
  )
}

const load = ({ pages, port, sizes }: Scene, order: Pick<LoadOrder, 'paths'> & Partial<LoadOrder>) =>
  pages.ask<LoadFigures>({
    port,
    token: '',
    connections: CONNECTIONS,
    warmupMs: WARMUP_MS,
    ms: sizes.seconds * 1_000,
    packed: true,
    ...order,
  })

/** Pages of a kind, while prices are edited or an import runs. */
async function loadBeside(scene: Scene, kind: Kind, phase: Phase): Promise<MeasuredPages> {
  const { port, sizes, token, edited } = scene
  const [figures, { ready, edits }] = await Promise.all([
    load(scene, { paths: kind.paths }),
    scene.beside.ask<TypedFigures>({
      port,
      paths: Array.from({ length: sizes.seconds + WARMUP_MS / 1_000 }, () => '/healthz'),
      perSecond: 1,
      token,
      edited,
      editsPerSecond: phase === 'edits' ? EDITS_PER_SECOND : 0,
    } satisfies TypedOrder),
  ])
  const failed = figures.failures + edits.failed
  return { kind: kind.name, phase, figures, failed, readyP99: ready.p99 }
}

async function measureQuietAndEdits(scene: Scene): Promise<MeasuredPages[]> {
  const measured: MeasuredPages[] = []
  for (const kind of scene.kinds) {
    const figures = await load(scene, { paths: kind.paths })
    const { failures: failed } = figures
    measured.push({ kind: kind.name, phase: 'quiet', figures, failed, readyP99: undefined })
    measured.push(await loadBeside(scene, kind, 'edits'))
  }
  return measured
}

/** Each kind in turn until all rows are live; what was measured beside the last rows does not count. */
async function measureImport(scene: Scene): Promise<MeasuredPages[]> {
  const { sizes, db, address, folder, kinds } = scene
  if (sizes.imported === 0 || kinds.length === 0) return []
  const path = join(folder, 'imported.csv')
  await writeRows(path, sizes.imported, 'imported')
  const importing = await TimedImport.open({ address, db, path })
  await importing.stage()
  const live = importing.goLive().then(() => 'live' as const)
  const measured: MeasuredPages[] = []
  for (;;) {
    const kind = kinds[measured.length % kinds.length] as Kind
    const one = await loadBeside(scene, kind, 'import')
    if ((await Promise.race([live, sleep(0, 'running' as const)])) === 'live') return measured
    measured.push(one)
  }
}

async function measureReads({ db, sizes, port, busy, token }: Scene): Promise<MeasuredRead[]> {
  const measured: MeasuredRead[] = []
  for (const { name, ...read } of await drawReads(db, { token, admin: await signInAdmin(db) })) {
    if (!sizes.only.test(name)) continue
    const order: BusyOrder = { port, callers: CONNECTIONS, ms: sizes.seconds * 1_000, ...read }
    measured.push({ name, ...(await busy.ask<BusyFigures>(order)) })
  }
  return measured
}

/** The memory that a process holds, in bytes. */
function memoryOf(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return Number(kilobytes ?? 0) * 1_024
}

type Kind = { name: string; paths: string[] }

async function drawKinds(db: Db): Promise<Kind[]> {
  const texts = (await drawSearches(db, PAGES)).map((q) => String(new URLSearchParams({ q })))
  const { rows } = await sql<{ slug: string }>`
    select slug from listing where status = 'ACTIVE' and ended_at is null and deleted_at is null
    order by md5(slug) limit ${PAGES}`.execute(db)
  return [
    { name: 'lists, HTML', paths: texts.map((query) => `/parts?${query}`) },
    { name: 'lists, JSON', paths: texts.map((query) => `/api/parts?${query}&facets=1&perPage=24`) },
    { name: 'parts, HTML', paths: rows.map(({ slug }) => `/parts/${slug}`) },
  ]
}

/** Searches that nobody asked for before. */
async function drawCold(db: Db): Promise<string[]> {
  const texts = await drawSearches(db, PAGES + COLD_PAGES)
  return texts.slice(PAGES).map((q) => `/api/parts?${new URLSearchParams({ q, facets: '1', perPage: '24' })}`)
}

async function listOwn(db: Db, sellerId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from listing where seller_id = ${sellerId} and status = 'ACTIVE' and ended_at is null and deleted_at is null
    order by md5(id::text) limit 1000`.execute(db)
  return rows.map(({ id }) => id)
}

type Read = Kind & { token: string }

/** The reads that take the api most time. */
async function drawReads(db: Db, { token, admin }: { token: string; admin: string }): Promise<Read[]> {
  const { rows } = await sql<{ slug: string }>`
    select s.slug from listing_tally t join seller s on s.id = t.seller_id order by t.live desc limit 20`.execute(
    db,
  )
  const slugs = rows.map(({ slug }) => slug)
  const long = [
    'driver side front outer door handel',
    'a b c d e f g h',
    'toyoto camrey left hedlight assembley 2012',
  ]
  const read = (name: string, paths: string[], its = ''): Read => ({ name, paths, token: its })
  return [
    read('sitemap file', ['/sitemaps/parts-1.xml']),
    read('sitemap', ['/sitemap.xml']),
    read(
      'long suggestions',
      long.map((q) => `/api/search/suggestions?${new URLSearchParams({ q: `${q} ${q}` })}`),
    ),
    read('metrics', ['/metrics']),
    read('admin export', ['/api/admin/parts/export'], admin),
    read('admin list', ['/api/admin/parts?perPage=100', '/api/admin/parts?perPage=100&page=2'], admin),
    read(
      'seller pages',
      slugs.map((slug) => `/sellers/${slug}`),
    ),
    read('own list', ['/api/seller/parts?perPage=100', '/api/seller/parts?perPage=100&page=2'], token),
    read('leads', ['/api/seller/leads?perPage=100'], token),
    read('models', ['/api/carmodels']),
  ]
}

/* Tables and targets */

const milliseconds = (ms: number) => ms.toFixed(ms < 10 ? 2 : 1)

function pagesTable(pages: readonly MeasuredPages[]): string {
  return markdownTable(
    'pages,beside,a second,of quiet,p50 ms,p99,failed,/readyz p99'.split(','),
    pages.map(({ kind, phase, figures, failed, readyP99 }) => [
      kind,
      phase === 'edits' ? `${EDITS_PER_SECOND} edits a second` : phase,
      figure(figures.perSecond),
      percent(shareOf(pages, kind, phase)),
      milliseconds(figures.p50),
      milliseconds(figures.p99),
      figure(failed),
      readyP99 === undefined ? '' : milliseconds(readyP99),
    ]),
  )
}

/** The slowest of a phase, of the quiet rate. */
function shareOf(pages: readonly MeasuredPages[], kind: string, phase: Phase): number {
  const of = (asked: Phase) =>
    Math.min(
      ...pages.flatMap((one) => (one.kind === kind && one.phase === asked ? one.figures.perSecond : [])),
    )
  return of(phase) / of('quiet')
}

const readsTable = (reads: readonly MeasuredRead[]) =>
  markdownTable(
    `${CONNECTIONS} callers,times,refused,failed,p50 ms,event loop held at most,p99`.split(','),
    reads.map(({ name, times, refused, failed, p50, held, heldP99 }) => [
      name,
      ...[times, refused, failed].map(figure),
      ...[p50, held, heldP99].map(milliseconds),
    ]),
  )

const LEAST_BESIDE: Record<Exclude<Phase, 'quiet'>, number> = { edits: 0.7, import: 0.5 }
const MOST_AT_REST = 350_000_000
const MOST_READY_MS = 250
const MOST_HELD_MS = 100

function targetsOf({ pages, memory, reads }: Found): Target[] {
  const most = (name: string, found: number, limit: number): Target => ({
    name,
    found: `${milliseconds(found)} ms`,
    wanted: `≤ ${limit} ms`,
    isMet: found <= limit,
  })
  const kinds = [...new Set(pages.map(({ kind }) => kind))]
  const shares = kinds.flatMap((kind) =>
    (['edits', 'import'] as const).flatMap((phase) => {
      if (!pages.some((one) => one.kind === kind && one.phase === phase)) return []
      const found = shareOf(pages, kind, phase)
      const least = LEAST_BESIDE[phase]
      const name = `${kind} beside ${phase}, of quiet`
      return [{ name, found: percent(found), wanted: `≥ ${percent(least)}`, isMet: found >= least }]
    }),
  )
  const beside = pages.flatMap(({ phase, readyP99 }) => (phase === 'import' ? (readyP99 ?? []) : []))
  return [
    ...shares,
    ...(beside.length > 0 ? [most('/readyz beside an import, p99', Math.max(...beside), MOST_READY_MS)] : []),
    {
      name: 'memory of the api at rest',
      found: megabytes(memory.rest),
      wanted: `≤ ${megabytes(MOST_AT_REST)}`,
      isMet: memory.rest <= MOST_AT_REST,
    },
    ...reads.map(({ name, held }) => most(`${name}: event loop held`, held, MOST_HELD_MS)),
  ]
}

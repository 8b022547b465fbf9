/*
 * A client as many visitors are one: it searches at a steady rate, whether replies have come or not, each search once. Beside
 * that it edits prices, and asks whether the process is ready. A process of its own, as `http-load.ts`.
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { replyTo } from './programs.ts'
import { percentile } from './report.ts'

export type TypedOrder = {
  port: number
  /** Each is asked once. */
  paths: string[]
  perSecond: number
  token: string
  /** Listings whose prices are edited in turn. */
  edited: string[]
  editsPerSecond: number
}

export type Steady = { times: number; p50: number; p95: number; p99: number; longest: number; failed: number }
export type TypedFigures = { searches: Steady; ready: Steady; edits: Steady; suggestions: Steady }

const READY_EVERY_MS = 100
const SUGGESTION_EVERY_MS = 200

type Sent = { method?: string; path: string; token?: string; body?: string }

// An address may have 256 connections at once.
const agent = new Agent({ keepAlive: true, maxSockets: 250 })

/** Milliseconds until the whole reply has come; undefined if it was not a 200. */
function send(port: number, { method = 'GET', path, token, body }: Sent): Promise<number | undefined> {
  const began = performance.now()
  const headers = {
    ...(token && { authorization: `Bearer ${token}` }),
    ...(body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
  }
  return new Promise((resolve) => {
    const sent = request({ agent, host: '127.0.0.1', port, method, path, headers }, (reply) => {
      reply.resume()
      reply.once('end', () => resolve(reply.statusCode === 200 ? performance.now() - began : undefined))
    })
    sent.once('error', () => resolve(undefined))
    sent.end(body)
  })
}

/** Sends the nth request at its time, however long the ones before take. */
async function steadily(
  { count, perSecond }: { count: number; perSecond: number },
  ask: (at: number) => Promise<number | undefined>,
): Promise<Steady> {
  const began = performance.now()
  const asked: Promise<number | undefined>[] = []
  for (let at = 0; at < count; at += 1) {
    await sleep(Math.max(0, began + (at / perSecond) * 1_000 - performance.now()))
    asked.push(ask(at))
  }
  const times = await Promise.all(asked)
  const good = times.filter((ms) => ms !== undefined)
  return {
    times: times.length,
    p50: percentile(good, 0.5),
    p95: percentile(good, 0.95),
    p99: percentile(good, 0.99),
    longest: Math.max(0, ...good),
    failed: times.length - good.length,
  }
}

replyTo(async ({ port, paths, perSecond, ...order }: TypedOrder): Promise<TypedFigures> => {
  const seconds = paths.length / perSecond
  const every = (ms: number) => ({ count: Math.ceil((seconds * 1_000) / ms), perSecond: 1_000 / ms })
  const { token, edited, editsPerSecond } = order
  const edit = (at: number): Sent => ({
    method: 'PUT',
    path: `/api/seller/parts/${edited[at % edited.length]}`,
    token,
    // Another price each time, also when the same listings were edited before.
    body: JSON.stringify({ partprice: ((Date.now() % 1_000_000) / 100 + 20).toFixed(2) }),
  })
  /** What somebody types before they search. */
  const typing = (at: number): Sent => {
    const typed = new URL(paths[at % paths.length] ?? '/', 'http://localhost').searchParams.get('q') ?? ''
    const q = typed.slice(0, Math.max(3, Math.ceil(typed.length / 2)))
    return { path: `/api/search/suggestions?${new URLSearchParams({ q })}` }
  }
  const edits = { count: Math.ceil(seconds * editsPerSecond), perSecond: editsPerSecond }
  const [searches, ready, edited_, suggestions] = await Promise.all([
    steadily({ count: paths.length, perSecond }, (at) => send(port, { path: paths[at] ?? '/' })),
    steadily(every(READY_EVERY_MS), () => send(port, { path: '/readyz' })),
    steadily(edits, (at) => send(port, edit(at))),
    steadily(every(SUGGESTION_EVERY_MS), (at) => send(port, typing(at))),
  ])
  agent.destroy()
  return { searches, ready, edits: edited_, suggestions }
})

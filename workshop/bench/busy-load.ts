/*
 * Sixteen clients that read the same address again and again, however long or in how many pieces it comes. Beside them one
 * asks for `/healthz` every 10 ms: it needs no database, so the longest reply shows for how long the event loop was held.
 * A process of its own.
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { replyTo } from './programs.ts'
import { percentile } from './report.ts'

export type BusyOrder = { port: number; paths: string[]; token: string; callers: number; ms: number }
export type BusyFigures = {
  times: number
  /** Refused because all places were taken. */
  refused: number
  failed: number
  p50: number
  /** The longest and the 99th percentile of `/healthz`. */
  held: number
  heldP99: number
}

type Reply = { status: number; ms: number }

function read(
  agent: Agent,
  { port, path, token }: { port: number; path: string; token: string },
): Promise<Reply> {
  const began = performance.now()
  const headers = { 'accept-encoding': 'br, gzip', ...(token && { authorization: `Bearer ${token}` }) }
  return new Promise((resolve) => {
    const end = (status: number) => resolve({ status, ms: performance.now() - began })
    const sent = request({ agent, host: '127.0.0.1', port, path, headers }, (reply) => {
      reply.resume()
      reply.once('end', () => end(reply.statusCode ?? 0))
      reply.once('error', () => end(0))
    })
    sent.once('error', () => end(0))
    sent.end()
  })
}

const PROBE_EVERY_MS = 10
// Who is refused asks again later.
const REFUSED_PAUSE_MS = 100

replyTo(async ({ port, paths, token, callers, ms }: BusyOrder): Promise<BusyFigures> => {
  const agent = new Agent({ keepAlive: true, maxSockets: 2 * callers })
  const until = performance.now() + ms
  const replies: Reply[] = []
  let turn = 0
  const caller = async () => {
    while (performance.now() < until) {
      const path = paths[turn++ % paths.length] ?? '/'
      const reply = await read(agent, { port, path, token })
      replies.push(reply)
      if (reply.status !== 200) await sleep(REFUSED_PAUSE_MS)
    }
  }
  const held: number[] = []
  const probe = async () => {
    while (performance.now() < until) {
      held.push((await read(agent, { port, path: '/healthz', token: '' })).ms)
      await sleep(PROBE_EVERY_MS)
    }
  }
  await Promise.all([...Array.from({ length: callers }, caller), probe()])
  agent.destroy()
  const good = replies.filter(({ status }) => status === 200)
  const refused = replies.filter(({ status }) => status === 503 || status === 429).length
  return {
    times: replies.length,
    refused,
    failed: replies.length - good.length - refused,
    p50: percentile(
      good.map((reply) => reply.ms),
      0.5,
    ),
    held: Math.max(0, ...held),
    heldP99: percentile(held, 0.99),
  }
})

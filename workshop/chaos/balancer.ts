import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

export type Balancer = { readonly address: string; close(): Promise<void> }

const CHECK_MS = 250
const WAIT_MS = 15_000

/**
 * What a load balancer does: sends requests to processes whose /readyz is 200, in turn, and one that got no connection to
 * another process. A request that was begun is never repeated, so each failure of a process is seen.
 */
export async function openBalancer(ports: readonly number[]): Promise<Balancer> {
  const ready = new Set<number>()
  const checks = setInterval(() => void Promise.all(ports.map((port) => check(port, ready))), CHECK_MS)
  await Promise.all(ports.map((port) => check(port, ready)))
  let turn = 0
  const next = () => {
    const open = ports.filter((port) => ready.has(port))
    turn += 1
    return open[turn % open.length]
  }
  const server = createServer(async (incoming, outgoing) => {
    const body = await buffer(incoming)
    for (const deadline = Date.now() + WAIT_MS; Date.now() < deadline; ) {
      const port = next()
      if (port !== undefined && (await pass({ port, body, incoming, outgoing }))) return
      if (port !== undefined) ready.delete(port)
      await sleep(50)
    }
    outgoing.writeHead(504).end('no process is ready')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      clearInterval(checks)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function check(port: number, ready: Set<number>): Promise<void> {
  const isReady = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(3_000) }).then(
    async (reply) => {
      await reply.arrayBuffer()
      return reply.ok
    },
    () => false,
  )
  if (isReady) ready.add(port)
  else ready.delete(port)
}

type Exchange = { port: number; body: Buffer; incoming: IncomingMessage; outgoing: ServerResponse }

/** False if nothing listens there; then nothing was sent. */
function pass({ port, body, incoming, outgoing }: Exchange): Promise<boolean> {
  return new Promise((resolve) => {
    const { method, url: path, headers } = incoming
    // A connection for each: one that is kept open may be closed by a stopping process at the moment of use.
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (reply) => {
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers)
      reply.pipe(outgoing)
      resolve(true)
    })
    sent.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') return resolve(false)
      if (!outgoing.headersSent) outgoing.writeHead(502).end(error.message)
      else outgoing.destroy()
      resolve(true)
    })
    sent.end(body)
  })
}

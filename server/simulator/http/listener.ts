import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Simulator } from '#server/simulator/simulator.ts'
import { type Answer, type Exchange, json, type NoAnswer, readBody } from './exchange.ts'

export type Handle = (simulator: Simulator, exchange: Exchange) => Promise<Answer | NoAnswer>

export type Listener = {
  readonly port: number
  /** From now on requests are answered. */
  serve(simulator: Simulator, handle: Handle): void
  close(): Promise<void>
}

// Long enough for what is being answered, short enough that a request told to hang does not keep the process.
const CLOSE_MS = 1_000

export async function openListener(host: string, port: number): Promise<Listener> {
  const server = createServer()
  await listen(server, host, port)
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    serve: (simulator, handle) => {
      server.on('request', (message, response) => void answer(message, response, { simulator, handle }))
    },
    close: () => close(server),
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, () => resolve())
  })
}

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const late = new AbortController()
  const cut = sleep(CLOSE_MS, undefined, { signal: late.signal }).then(
    () => server.closeAllConnections(),
    () => undefined,
  )
  await closed
  late.abort()
  await cut
}

type Serving = { readonly simulator: Simulator; readonly handle: Handle }

async function answer(message: IncomingMessage, response: ServerResponse, { simulator, handle }: Serving) {
  try {
    const exchange = await exchangeOf(message)
    const reply = exchange ? await handle(simulator, exchange) : TOO_LARGE
    if (reply === 'hang') return
    if (reply === 'break') message.socket.destroy()
    else response.writeHead(reply.status, { ...reply.headers }).end(reply.body)
  } catch (error) {
    // Whoever asked has gone, or the handler has a defect that it did not answer for itself.
    simulator.log.debug({ err: error }, 'a request of the simulator was not answered')
    message.socket.destroy()
  }
}

async function exchangeOf(message: IncomingMessage): Promise<Exchange | undefined> {
  const body = await readBody(message)
  const url = URL.parse(message.url ?? '/', 'http://simulator')
  if (body === undefined || !url) return undefined
  const { method = 'GET', headers } = message
  return { method, url, headers, body, from: message.socket.remoteAddress ?? '' }
}

const TOO_LARGE = json(413, {
  error: { message: 'The request is too large.', type: 'invalid_request_error' },
})

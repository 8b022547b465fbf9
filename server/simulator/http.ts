import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { BlockList } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** A request that has arrived completely. */
export type Exchange = {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage['headers']
  readonly body: string
  /** The address it came from. */
  readonly from: string
}

export type Reply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** No reply: the request waits until the caller gives up, or its connection breaks. */
export type NoReply = 'hang' | 'break'

export type Listener = {
  readonly port: number
  /** Requests that come before a handler is set are closed without a reply. */
  handle(handler: (exchange: Exchange) => Promise<Reply | NoReply>): void
  close(): Promise<void>
}

export function json(status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: `${JSON.stringify(body, null, 2)}\n`,
  }
}

export function seeOther(location: string): Reply {
  return { status: 303, headers: { location, 'cache-control': 'no-store' }, body: '' }
}

export async function openListener(host: string, port: number): Promise<Listener> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port }, resolve)
  })
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : port,
    handle: (handler) => {
      server.on('request', (message, response) => void respond(message, response, handler))
    },
    close: () => close(server),
  }
}

// Long enough to finish running replies, short enough that a request told to hang does not keep the process alive.
const CLOSE_MS = 1_000

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  await Promise.race([closed, sleep(CLOSE_MS, undefined, { ref: false })])
  server.closeAllConnections()
  await closed
}

type Handler = Parameters<Listener['handle']>[0]

async function respond(message: IncomingMessage, response: ServerResponse, handler: Handler): Promise<void> {
  try {
    const exchange = await exchangeOf(message)
    const reply = exchange ? await handler(exchange) : TOO_LARGE
    if (reply === 'hang') return
    if (reply === 'break') message.socket.destroy()
    else response.writeHead(reply.status, { ...reply.headers }).end(reply.body)
  } catch {
    // The caller hung up, or a page failed: the log has the reason, a broken connection tells the caller.
    message.socket.destroy()
  }
}

// No call here takes more than a few kilobytes.
const LARGEST_BODY = 64 * 1024
const TOO_LARGE = json(413, {
  error: { message: 'The request is too large.', type: 'invalid_request_error' },
})

async function exchangeOf(message: IncomingMessage): Promise<Exchange | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LARGEST_BODY) return undefined
    chunks.push(chunk)
  }
  const url = URL.parse(message.url ?? '/', 'http://simulator')
  if (!url) return undefined
  const { method = 'GET', headers } = message
  const from = message.socket.remoteAddress ?? ''
  return { method, url, headers, body: Buffer.concat(chunks).toString('utf8'), from }
}

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

/**
 * Whether a request comes from this machine and uses one of its own names. Otherwise a foreign page whose name resolves
 * to this machine could call the API from a visitor's browser, and everyone knows the key.
 */
export function isFromThisMachine({ from, headers }: Exchange): boolean {
  const address = from.replace(/^::ffff:/, '')
  const isNear = loopback.check(address, address.includes(':') ? 'ipv6' : 'ipv4')
  return isNear && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(headers.host ?? '')
}

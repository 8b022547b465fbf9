import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Log } from '#server/platform/log.ts'
import { networkOf } from '#server/platform/net/addresses.ts'

const KB = 1024
const MB = KB * KB

export type ConnectionLimits = {
  /** Open connections of one address. A browser opens six, so an office of 40 people fits. */
  perAddress: number
  /** Pipelined requests that may wait behind the current one. Browsers do not pipeline. */
  inLine: number
  /** A client must read this much of its pending reply in the time below. */
  leastBytes: number
  /** For a reply that is entirely in our memory. Uploads have the same minimum rate: 64 KiB in 30 s. */
  largeMs: number
  /** For a stream, which is paused at its source: a slow download or a quiet event stream costs almost nothing. */
  smallMs: number
  /** Above this total of pending bytes, clients that read nothing are dropped at once, longest-stalled first. */
  crowdedBytes: number
  crowdedMs: number
  /**
   * Sweep interval. A connection idle for a whole interval may be dropped for a new one; a shorter pause may just be
   * between two requests.
   */
  sweepMs: number
}

// More than a stream buffers between its source and the socket.
const LARGE_BYTES = 256 * KB

const LIMITS: ConnectionLimits = {
  perAddress: 256,
  inLine: 16,
  leastBytes: 64 * KB,
  largeMs: 30_000,
  smallMs: 5 * 60_000,
  crowdedBytes: 64 * MB,
  crowdedMs: 2_000,
  sweepMs: 1_000,
}

type Connection = {
  readonly socket: Socket
  /** Undefined for a trusted proxy, which carries the requests of many people. */
  readonly address: string | undefined
  /** Pipelined requests. */
  readonly line: (() => void)[]
  answering: boolean
  idleSince: number
  /** Bytes the operating system had accepted when the client last kept pace. */
  taken: number
  keptPaceAt: number
}

export type ConnectionOptions = {
  log: Log
  /** Whether an address is a trusted proxy. */
  isProxy: (address: string) => boolean
  limits?: Partial<ConnectionLimits> | undefined
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void
type Reason = 'too slow' | 'too many waiting bytes' | 'too many from one address' | 'too many requests ahead'

/**
 * Bounds the memory of open connections. Each connection handles one request at a time, so at most one reply is
 * pending; clients that stop reading are dropped; an address with too many connections loses its worst one. Without
 * this, 400 sockets that never read took 2.7 GB.
 */
export class Connections {
  readonly #limits: ConnectionLimits
  readonly #options: ConnectionOptions
  readonly #open = new Map<Socket, Connection>()
  readonly #byAddress = new Map<string, Set<Connection>>()
  readonly #dropped = new Map<Reason, number>()
  readonly #timer: NodeJS.Timeout
  /**
   * Time of the sweep before the last. While this process is busy it reads nothing, so no connection counts as idle.
   */
  #idleBefore = 0
  #sweptAt = Date.now()

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.#limits = { ...LIMITS, ...options.limits }
    this.#timer = setInterval(() => this.#sweep(Date.now()), this.#limits.sweepMs).unref()
  }

  close(): void {
    clearInterval(this.#timer)
  }

  /** Registers a new connection, or refuses it. */
  admit(socket: Socket): void {
    const ip = socket.remoteAddress
    // Already closed.
    if (ip === undefined) return
    const address = this.#options.isProxy(ip) ? undefined : networkOf(ip)
    if (address !== undefined && !this.#makeRoom(address)) {
      this.#note('too many from one address')
      socket.end(REFUSAL)
      socket.destroySoon()
      return
    }
    const now = Date.now()
    const connection: Connection = {
      socket,
      address,
      line: [],
      answering: false,
      idleSince: now,
      taken: 0,
      keptPaceAt: now,
    }
    this.#open.set(socket, connection)
    if (address !== undefined) this.#ofAddress(address).add(connection)
    socket.once('close', () => this.#forget(connection))
  }

  /** Calls the handler for one request of a connection at a time. */
  inTurn(handle: Handler): Handler {
    const begin = (connection: Connection, request: IncomingMessage, response: ServerResponse) => {
      connection.answering = true
      response.once('close', () => {
        connection.answering = false
        connection.idleSince = Date.now()
        connection.line.shift()?.()
      })
      handle(request, response)
    }
    return (request, response) => {
      const connection = this.#open.get(request.socket)
      // Leftover input of a refused connection.
      if (!connection || request.socket.destroyed) return
      if (!connection.answering) {
        begin(connection, request, response)
        return
      }
      connection.line.push(() => begin(connection, request, response))
      const isTooLong = connection.line.length > this.#limits.inLine
      if (isTooLong && connection.address !== undefined) this.#drop(connection, 'too many requests ahead')
    }
  }

  /** Returns whether an address may open another connection; drops its worst one if that is idle or stalled. */
  #makeRoom(address: string): boolean {
    const own = this.#byAddress.get(address)
    if (own === undefined || own.size < this.#limits.perAddress) return true
    const useless = [...own]
      .map((connection) => ({ connection, since: uselessSince(connection) }))
      .filter(({ since }) => since <= this.#idleBefore)
      .toSorted((a, b) => a.since - b.since)[0]
    if (!useless) return false
    this.#drop(useless.connection, 'too many from one address')
    return true
  }

  #sweep(now: number): void {
    const { leastBytes, largeMs, smallMs } = this.#limits
    let waitingBytes = 0
    for (const connection of this.#open.values()) {
      const waiting = connection.socket.writableLength
      const taken = bytesTaken(connection.socket)
      if (waiting === 0 || taken - connection.taken >= leastBytes) {
        connection.taken = taken
        connection.keptPaceAt = now
      }
      const deadlineMs = waiting > LARGE_BYTES ? largeMs : smallMs
      if (now - connection.keptPaceAt >= deadlineMs) this.#drop(connection, 'too slow')
      else waitingBytes += waiting
    }
    this.#relieve(waitingBytes, now)
    this.#report()
    this.#idleBefore = this.#sweptAt
    this.#sweptAt = now
  }

  #relieve(waitingBytes: number, now: number): void {
    const { crowdedBytes, crowdedMs } = this.#limits
    if (waitingBytes <= crowdedBytes) return
    const stalled = [...this.#open.values()]
      .filter(({ keptPaceAt }) => now - keptPaceAt >= crowdedMs)
      .toSorted((a, b) => a.keptPaceAt - b.keptPaceAt)
    let left = waitingBytes
    for (const connection of stalled) {
      if (left <= crowdedBytes) return
      left -= connection.socket.writableLength
      this.#drop(connection, 'too many waiting bytes')
    }
  }

  #drop(connection: Connection, reason: Reason): void {
    this.#note(reason)
    // Now, not when the socket closes: the slot is free at once, and the connection is counted only once.
    this.#forget(connection)
    // With a reset; otherwise the operating system would keep megabytes buffered for a client that reads nothing.
    connection.socket.resetAndDestroy()
  }

  #forget(connection: Connection): void {
    const { socket, address, line } = connection
    line.length = 0
    this.#open.delete(socket)
    if (address === undefined) return
    const own = this.#byAddress.get(address)
    own?.delete(connection)
    if (own?.size === 0) this.#byAddress.delete(address)
  }

  #ofAddress(address: string): Set<Connection> {
    const own = this.#byAddress.get(address) ?? new Set()
    this.#byAddress.set(address, own)
    return own
  }

  #note(reason: Reason): void {
    this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + 1)
  }

  /** One line for each reason and sweep: an attack must not fill the log. */
  #report(): void {
    for (const [reason, connections] of this.#dropped) {
      this.#options.log.warn({ reason, connections, open: this.#open.size }, 'connections dropped')
    }
    this.#dropped.clear()
  }
}

const REFUSAL_BODY = JSON.stringify({
  ok: false,
  error: 'There are too many open connections from your address. Please try again in a moment.',
  code: 'BUSY',
})
const REFUSAL = `HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json; charset=utf-8\r\ncontent-length: ${Buffer.byteLength(REFUSAL_BODY)}\r\nretry-after: 5\r\nconnection: close\r\n\r\n${REFUSAL_BODY}`

/** When a connection stopped being useful: its client stopped reading or sent no next request. */
function uselessSince({ answering, idleSince, keptPaceAt, socket }: Connection): number {
  if (socket.writableLength > 0) return keptPaceAt
  return answering ? Number.POSITIVE_INFINITY : idleSince
}

/**
 * Returns the bytes the operating system has accepted for the client. Node's public counters change only after a whole
 * chunk, which takes minutes for a large reply to a slow client. Node's own socket timeout reads the same private
 * field.
 */
function bytesTaken(socket: Socket): number {
  const { _handle: handle } = socket as unknown as {
    _handle?: { bytesWritten: number; writeQueueSize: number } | null
  }
  return handle ? handle.bytesWritten - handle.writeQueueSize : socket.bytesWritten
}

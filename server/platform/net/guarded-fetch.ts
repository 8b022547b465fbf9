import { lookup as systemLookup } from 'node:dns'
import { promisify } from 'node:util'
import { Agent, buildConnector, request } from 'undici'
import { isInternalHost } from './addresses.ts'

/** Why something was not fetched, as text that follows "not fetched: ". */
export class NotFetched extends Error {
  override name = 'NotFetched'
  /** Whether a retry may work: the server was slow, busy or unreachable. */
  readonly passes: boolean

  constructor(reason: string, options: { passes?: boolean; cause?: unknown } = {}) {
    super(reason, { cause: options.cause })
    this.passes = options.passes ?? false
  }
}

type Address = { address: string; family: number }

export type GuardOptions = {
  /** Resolves a name. */
  readonly lookup?: (hostname: string) => Promise<Address[]>
  /** Whether a host (name or address) is internal and therefore blocked. */
  readonly isInside?: (host: string) => boolean
  /** Allowed ports; any other is most likely a private service. */
  readonly ports?: readonly number[]
  readonly totalMs?: number
}

export type GuardedFetch = {
  /** Fetches the body at this address, of any type. @throws NotFetched, or the signal's reason */
  bytes(url: string, limits: { mostBytes: number; signal: AbortSignal }): Promise<Buffer>
  /** Sends JSON and returns the status; redirects are not followed. @throws NotFetched, or the signal's reason */
  post(url: string, json: object, options: { signal: AbortSignal }): Promise<number>
  close(): Promise<void>
}

const CONNECT_MS = 5_000
const TOTAL_MS = 10_000
const MAX_REDIRECTS = 3

type Guard = { readonly agent: Agent; checkedUrl(text: string, base?: string): URL }

/** Allows http and https on standard ports and public addresses only, both when an address is read and when connecting. */
function openGuard(options: GuardOptions, totalMs: number): Guard {
  const { lookup = allAddresses, isInside = isInternalHost } = options
  const ports = options.ports ?? [80, 443]
  const checkedAddress = async (hostname: string): Promise<string> => {
    const addresses = await lookup(hostname).catch((cause: unknown) => {
      throw new NotFetched(`there is no server called ${hostname}`, { cause })
    })
    if (addresses.some(({ address }) => isInside(address))) throw insideAddress(hostname)
    // Not every machine has IPv6.
    const [first] = addresses.toSorted((one, other) => one.family - other.family)
    if (!first) throw new NotFetched(`there is no server called ${hostname}`)
    return first.address
  }

  const connectTo = buildConnector({ timeout: CONNECT_MS })
  const agent = new Agent({
    // The certificate is checked for the name; the connection goes to the address that was checked.
    connect: (options, done) => {
      checkedAddress(options.hostname.replace(/^\[|\]$/g, '')).then(
        (hostname) => connectTo({ ...options, hostname }, done),
        (error: Error) => done(error, null),
      )
    },
    headersTimeout: totalMs,
    bodyTimeout: totalMs,
    connections: 4,
    keepAliveTimeout: 1_000,
  })

  const checkedUrl = (text: string, base?: string): URL => {
    const url = URL.parse(text, base)
    if (url?.protocol !== 'http:' && url?.protocol !== 'https:') {
      throw new NotFetched('the address does not start with http:// or https://')
    }
    if (url.username !== '' || url.password !== '') {
      throw new NotFetched('the address carries a name or a password')
    }
    // An empty port is the protocol's default, 80 or 443.
    if (url.port !== '' && !ports.includes(Number(url.port))) {
      throw new NotFetched(`port ${url.port} is not allowed, only ${ports.join(' and ')}`)
    }
    if (isInside(url.hostname)) throw insideAddress(url.hostname)
    return url
  }
  return { agent, checkedUrl }
}

/**
 * Fetches addresses from strangers. Allows only http and https on their standard ports and only public addresses. A name
 * is resolved once, all its addresses must be public, and the connection uses only those, so DNS rebinding gains nothing.
 * Redirects follow the same rules. Sends no credentials.
 */
export function openGuardedFetch(options: GuardOptions = {}): GuardedFetch {
  const { totalMs = TOTAL_MS } = options
  const { agent, checkedUrl } = openGuard(options, totalMs)

  const open = async (first: string, signal: AbortSignal) => {
    let url = checkedUrl(first)
    for (let redirects = 0; ; redirects++) {
      const answer = await request(url, { dispatcher: agent, signal, headers: { accept: '*/*' } })
      const { location } = answer.headers
      if (answer.statusCode < 300 || answer.statusCode > 399 || typeof location !== 'string') return answer
      await answer.body.dump()
      if (redirects === MAX_REDIRECTS) throw new NotFetched('the address redirects too often')
      url = checkedUrl(location, url.href)
    }
  }

  return {
    async bytes(url, { mostBytes, signal }) {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(totalMs)])
      try {
        const { statusCode, headers, body } = await open(url, inTime)
        try {
          if (statusCode !== 200) throw refusedBy(statusCode)
          if (Number(headers['content-length'] ?? 0) > mostBytes) throw tooLarge(mostBytes)
          return await readUpTo(body, mostBytes)
        } finally {
          // Aborting the body emits an error, which is intended.
          body.on('error', () => undefined).destroy()
        }
      } catch (error) {
        signal.throwIfAborted()
        throw asNotFetched(error, totalMs)
      }
    },
    async post(url, json, { signal }) {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(totalMs)])
      try {
        const { statusCode, body } = await request(checkedUrl(url), {
          method: 'POST',
          dispatcher: agent,
          signal: inTime,
          headers: { 'content-type': 'application/json; charset=utf-8' },
          body: JSON.stringify(json),
        })
        await body.dump()
        return statusCode
      } catch (error) {
        signal.throwIfAborted()
        throw asNotFetched(error, totalMs)
      }
    },
    close: () => agent.close(),
  }
}

const lookupAll = promisify(systemLookup)
const allAddresses = (hostname: string): Promise<Address[]> => lookupAll(hostname, { all: true })

async function readUpTo(body: AsyncIterable<Buffer>, most: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body) {
    bytes += chunk.length
    if (bytes > most) throw tooLarge(most)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

const insideAddress = (host: string) =>
  new NotFetched(`${host} is inside a private network, not on the internet`)

const tooLarge = (bytes: number) =>
  new NotFetched(`it is larger than ${(bytes / 1_048_576).toFixed(1).replace('.0', '')} MB`)

function refusedBy(status: number): NotFetched {
  if (status === 404 || status === 410) return new NotFetched('there is nothing at the address')
  if (status === 401 || status === 403) return new NotFetched('the server denied access')
  return new NotFetched(`the server returned status ${status}`, {
    passes: status === 429 || status >= 500,
  })
}

/** All other failures are the server's or the network's. */
function asNotFetched(error: unknown, totalMs: number): NotFetched {
  const own = [error, (error as { cause?: unknown })?.cause].find((each) => each instanceof NotFetched)
  if (own) return own
  const { name, code } = error as { name?: string; code?: string }
  if (name === 'TimeoutError' || code?.includes('TIMEOUT')) {
    return new NotFetched(`the server took longer than ${totalMs / 1_000} seconds`, {
      passes: true,
      cause: error,
    })
  }
  return new NotFetched('the connection to the server failed', { passes: true, cause: error })
}

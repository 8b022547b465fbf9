import { promisify } from 'node:util'
import { brotliCompress, brotliDecompress, brotliDecompressSync, constants, gzip } from 'node:zlib'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { DataScope, type DataVersion, digestOf, type Seen } from '#server/platform/data-scope.ts'
import { takesGzip } from './handler.ts'

const pack = promisify(gzip)
const compress = promisify(brotliCompress)
const decompress = promisify(brotliDecompress)

/**
 * A reply that is the same for everyone: serialized, compressed and hashed once. All clients share its bytes, even slow
 * ones.
 */
export type KeptDocument = {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer
  readonly packed: Buffer
}

export async function keepDocument(content: string | Buffer, type: string): Promise<KeptDocument> {
  const plain = typeof content === 'string' ? Buffer.from(content) : content
  return { type, etag: etagOf(plain), plain, packed: await pack(plain) }
}

/** Sends a document, or 304 if the client already has it. */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, plain, packed }: KeptDocument,
): FastifyReply {
  const vary = [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', ')
  reply.header('vary', vary)
  // A reply with a data-version ETag was already compared.
  if (!reply.hasHeader('etag')) {
    reply.headers({ etag, 'cache-control': 'no-cache' })
    if (clientHasCopy(request, etag)) return reply.code(304).send()
  }
  reply.type(type)
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(plain)
  return reply.header('content-encoding', 'gzip').send(packed)
}

// Browsers revalidate every time and usually get a 304. A shared cache gets what is at most two seconds old and keeps it for
// 55: sold, hidden or disabled parts disappear from it within a minute. `stale-while-revalidate` would double that.
export const SHARED_FOR_A_MINUTE = 'public, max-age=0, s-maxage=55'

/** The ETag of content derived from these; weak, since it is the same for all encodings. */
export const etagOf = (...from: readonly (string | Buffer)[]): string => `W/"${digestOf(...from)}"`

/** Whether the client already has the document with this ETag. */
export function clientHasCopy({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known?.includes(etag.replace(/^W\//, '')) ?? false
}

/** A reply compressed with brotli, the form that nearly every client accepts. */
export type PackedReply = {
  readonly status: number
  readonly packed: Buffer
  /** Derived from everything that the reply shows: the same for as long as that is the same. */
  readonly etag: string
  readonly location?: string
}

// For the first read; many replies are never read again. Takes a fifth of the time for a tenth more bytes.
const FAST = { [constants.BROTLI_PARAM_QUALITY]: 1, [constants.BROTLI_PARAM_LGWIN]: 18 }
// For replies that are read again: a sixth fewer bytes.
const SMALL = { [constants.BROTLI_PARAM_QUALITY]: 5 }

/**
 * A copy in its own memory: zlib returns small results as parts of shared blocks of 64 kB, and a page of 8 kB that is
 * kept would keep all of its block.
 */
const inOwnMemory = (bytes: Buffer): Buffer => {
  const own = Buffer.allocUnsafeSlow(bytes.byteLength)
  bytes.copy(own)
  return own
}

/** @param etag by default that of the text */
export const packReply = async (
  text: string,
  { status = 200, etag = etagOf(text) }: { status?: number; etag?: string } = {},
): Promise<PackedReply> => ({ status, packed: inOwnMemory(await compress(text, { params: FAST })), etag })

/** For the rare client that does not accept brotli. */
export const unpackReply = ({ packed }: PackedReply): Buffer => brotliDecompressSync(packed)

const takesBrotli = ({ headers }: FastifyRequest): boolean =>
  /\bbr\b/.test(String(headers['accept-encoding'] ?? ''))

/** Sends the content in an encoding that the client accepts. */
export function sendPacked(request: FastifyRequest, reply: FastifyReply, packed: PackedReply): FastifyReply {
  reply.code(packed.status)
  if (!takesBrotli(request)) return reply.send(unpackReply(packed))
  return reply.header('content-encoding', 'br').send(packed.packed)
}

/*
 * A user who just saved something checks at once whether it is there. For ten seconds their browser sends a cookie,
 * with the same value for everyone, and gets nothing older than its request.
 */
const WROTE = 'wrote'
const WROTE_SECONDS = 10

/** Called for a change that succeeded. */
export function recordWrite({ protocol }: FastifyRequest, reply: FastifyReply): void {
  const [prefix, secure] = protocol === 'https' ? ['__Host-', '; Secure'] : ['', '']
  const cookie = `${prefix}${WROTE}=1; Path=/; Max-Age=${WROTE_SECONDS}; HttpOnly; SameSite=Lax${secure}`
  reply.header('set-cookie', cookie)
}

/** The maximum age of the lists that a request gets. */
export const freshnessFor = ({ headers }: FastifyRequest): Freshness =>
  /(?:^|;\s*)(?:__Host-)?wrote=1(?:;|$)/.test(headers.cookie ?? '') ? 'now' : 'recent'

/** The maximum age of a kept reply: two seconds for `recent`; `now` means at least as new as the request. */
export type Freshness = 'recent' | 'now'

type Wanted = {
  freshness: Freshness
  /** The version of the data, read after it is called. */
  version: () => Promise<DataVersion>
  /** The page's own subject, such as a part, which is never older than the request. Lists next to it may be. */
  own?: () => Promise<string>
  /**
   * Makes the reply. It may return the one `before`, if that still shows the same. Only status 200 is kept. It names in
   * `scope` what it was made from, if that is not everything.
   */
  make: (before: PackedReply | undefined, scope: DataScope) => Promise<PackedReply>
}

export type KeptReplies = {
  /** The reply for a URL, kept or newly made. Each is made once at a time for all waiting requests. */
  get(address: string, wanted: Wanted): Promise<PackedReply>
  /** Frees replies that were not requested in the last minutes. */
  sweep(): void
  /** Size of the cache. */
  size(): { replies: number; bytes: number }
}

/** A reply and the version of what it shows that it was last compared with. */
type Entry = {
  reply: PackedReply
  sections: DataScope['sections']
  version: string
  /** When that version was read: the reply is known to be current up to then. */
  rightAt: number
  /** The page's own subject as shown, and the last version with it. */
  own: { state: string; version: string } | undefined
  /** All that it shows, in parts, if it is made of such. */
  seen: readonly KnownPart[]
  madeAt: number
  usedAt: number
  isRecompressed: boolean
}

/** A part of a reply, the version of its sections at which it was as shown, and when that was read. */
type KnownPart = Seen & { version: string; rightAt: number }

/** A reply being made from the data of a version, read at a time. */
type Making = { version: DataVersion; at: number; made: Promise<PackedReply> }

const RECENT_MS = 2_000
// A page in constant use is remade while the kept one may still be sent, so that nobody waits for it.
const RENEWED_AFTER_MS = 1_500
const UNUSED_MS = 5 * 60_000
// Some of what a part of a page is read from belongs to no section, such as the pages that a job links it to.
const PART_READ_AFTER_MS = 60_000

type Limits = { most: number; mostBytes: number; now: () => number }

/** Keeps the replies that were asked for last. */
export function openKeptReplies(limits: Limits): KeptReplies {
  const store = new ReplyStore(limits)
  const making = new Map<string, Making>()
  const renewing = new Set<string>()
  const { now } = limits
  const start = (address: string, data: Omit<Making, 'made'>, wanted: Wanted): Promise<PackedReply> => {
    const made = makeReply(store, { address, ...data }, wanted).finally(() => making.delete(address))
    making.set(address, { ...data, made })
    return made
  }
  const isRecent = ({ freshness }: Wanted, since: number) =>
    freshness === 'recent' && store.isWithin(RECENT_MS, since)
  /** The kept reply, if it may be sent at this version. */
  const findRight = async (address: string, { version, at }: Omit<Making, 'made'>, wanted: Wanted) => {
    const entry = store.find(address)
    if (entry?.version === version.of(entry?.sections)) {
      entry.rightAt = Math.max(entry.rightAt, at)
      return store.use(address, entry)
    }
    const isRight =
      entry && isRecent(wanted, entry.rightAt) && (await hasOwn(entry, version.of(entry.sections), wanted))
    return isRight ? store.use(address, entry) : undefined
  }
  /** Compares with the current data; requests that accept a recent reply share the latest comparison. */
  const readCurrent = async (address: string, wanted: Wanted): Promise<PackedReply> => {
    const at = now()
    const data = { version: await wanted.version(), at }
    for (;;) {
      const right = await findRight(address, data, wanted)
      if (right) return right
      const running = making.get(address)
      if (!running) return start(address, data, wanted)
      if (
        running.version.of(undefined) === data.version.of(undefined) ||
        (!wanted.own && isRecent(wanted, running.at))
      )
        return running.made
      await running.made.catch(() => undefined)
    }
  }
  const renew = (address: string, wanted: Wanted) => {
    if (renewing.has(address)) return
    renewing.add(address)
    // A failure is thrown to the next request that waits for it.
    readCurrent(address, { ...wanted, freshness: 'now' })
      .catch(() => undefined)
      .finally(() => renewing.delete(address))
  }
  return {
    async get(address, wanted) {
      const entry = store.find(address)
      if (!entry || wanted.own || !isRecent(wanted, entry.rightAt)) return readCurrent(address, wanted)
      if (!store.isWithin(RENEWED_AFTER_MS, entry.rightAt)) renew(address, wanted)
      return store.use(address, entry)
    },
    sweep: () => store.sweep(),
    size: () => store.size(),
  }
}

// A list of 24 cards has about 3 kB as JSON, a page about 15 kB.
const APP_LIMITS = { most: 12_000, mostBytes: 40 * 1024 * 1024 }
const SWEEP_MS = 60_000

/** The memory that the pages and the JSON of an app share. */
export function openAppReplies(app: FastifyInstance, now: () => Date): KeptReplies {
  const replies = openKeptReplies({ ...APP_LIMITS, now: () => now().getTime() })
  const sweeping = setInterval(replies.sweep, SWEEP_MS).unref()
  app.addHook('onClose', async () => clearInterval(sweeping))
  return replies
}

async function makeReply(
  store: ReplyStore,
  { address, version, at }: Omit<Making, 'made'> & { address: string },
  { own, make }: Wanted,
): Promise<PackedReply> {
  // Before the reply's data: a change in between shows as another state next time.
  const before = store.find(address)
  const [state, seen] = await Promise.all([own?.(), before && readAgain(store, before.seen, { version, at })])
  if (before && seen && before.own?.state === state) {
    const current = version.of(undefined)
    const own = state === undefined ? undefined : { state, version: current }
    return store.use(address, Object.assign(before, { version: current, own, seen, rightAt: at }))
  }
  const scope = new DataScope()
  const reply = await make(before?.reply, scope)
  if (reply.status !== 200) store.drop(address)
  else {
    const isSame = before !== undefined && reply === before.reply
    const { sections } = scope
    const shown = version.of(sections)
    store.keep(address, {
      reply,
      sections,
      version: shown,
      rightAt: at,
      own: state === undefined ? undefined : { state, version: shown },
      seen: scope.seen.map((part) => ({ ...part, version: version.of(part.sections), rightAt: at })),
      madeAt: isSame ? before.madeAt : store.now(),
      usedAt: store.now(),
      isRecompressed: isSame && before.isRecompressed,
    })
  }
  return reply
}

/** The parts of a reply at this version, if all are still as shown. */
async function readAgain(
  store: ReplyStore,
  parts: readonly KnownPart[],
  { version, at }: Omit<Making, 'made'>,
): Promise<KnownPart[] | undefined> {
  if (parts.length === 0) return undefined
  const again = await Promise.all(
    parts.map(async (part) => {
      const current = version.of(part.sections)
      if (part.sections && part.version === current && store.isWithin(PART_READ_AFTER_MS, part.rightAt))
        return part
      // What can't be read fails with the reply that is made then.
      const state = await part.readState().catch(() => undefined)
      return state === part.state ? { ...part, version: current, rightAt: at } : undefined
    }),
  )
  return again.every((part) => part !== undefined) ? again : undefined
}

/** Whether the page's own subject is unchanged. */
async function hasOwn(entry: Entry, version: string, { own }: Wanted): Promise<boolean> {
  if (!own || entry.own?.version === version) return true
  const state = await own()
  if (entry.own?.state !== state) return false
  entry.own = { state, version }
  return true
}

class ReplyStore {
  /** In order of last use, oldest first. */
  readonly #kept = new Map<string, Entry>()
  readonly #limits: Limits
  #bytes = 0

  constructor(limits: Limits) {
    this.#limits = limits
  }

  now(): number {
    return this.#limits.now()
  }

  /** A clock that was set back makes nothing young again. */
  isWithin(ms: number, at: number): boolean {
    const age = this.now() - at
    return age >= 0 && age <= ms
  }

  find(address: string): Entry | undefined {
    return this.#kept.get(address)
  }

  drop(address: string): void {
    const entry = this.#kept.get(address)
    if (entry && this.#kept.delete(address)) this.#bytes -= sizeOf(address, entry)
  }

  keep(address: string, entry: Entry): void {
    this.drop(address)
    this.#kept.set(address, entry)
    this.#bytes += sizeOf(address, entry)
    const { most, mostBytes } = this.#limits
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size <= most && this.#bytes <= mostBytes) return
      this.drop(oldest)
    }
  }

  use(address: string, entry: Entry): PackedReply {
    entry.usedAt = this.now()
    this.keep(address, entry)
    // A reply that stays the same for a while is worth the time.
    if (!entry.isRecompressed && !this.isWithin(RECENT_MS, entry.madeAt)) {
      this.#recompress(address, entry).catch(() => undefined)
    }
    return entry.reply
  }

  /** Compresses a reply that is read again with higher quality; keeps the old bytes if that fails. */
  async #recompress(address: string, entry: Entry): Promise<void> {
    entry.isRecompressed = true
    const packed = inOwnMemory(await compress(await decompress(entry.reply.packed), { params: SMALL }))
    // The same entry: a version may have been compared meanwhile.
    if (this.#kept.get(address) !== entry) return
    this.drop(address)
    entry.reply = { ...entry.reply, packed }
    this.keep(address, entry)
  }

  sweep(): void {
    for (const [address, { usedAt }] of this.#kept) {
      if (this.isWithin(UNUSED_MS, usedAt)) return
      this.drop(address)
    }
  }

  size(): { replies: number; bytes: number } {
    return { replies: this.#kept.size, bytes: this.#bytes }
  }
}

// The entry, its strings, its part types and its place in the map; and each part with what it is read from.
const ENTRY_BYTES = 800
const PART_BYTES = 400

/** Approximate bytes in memory; a string takes two bytes a character. */
const sizeOf = (address: string, { reply, seen }: Entry): number =>
  reply.packed.byteLength + 2 * address.length + ENTRY_BYTES + PART_BYTES * seen.length

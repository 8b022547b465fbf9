import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { takesGzip } from './handler.ts'

const pack = promisify(gzip)

/**
 * A reply that is the same for everyone: serialized, compressed and hashed once, and then only sent. Many readers share its
 * bytes, however slowly they read.
 */
export type KeptDocument = {
  readonly type: string
  readonly etag: string
  readonly plain: Buffer
  readonly packed: Buffer
}

export async function keepDocument(content: string | Buffer, type: string): Promise<KeptDocument> {
  const plain = typeof content === 'string' ? Buffer.from(content) : content
  const hash = createHash('sha256').update(plain).digest('base64url').slice(0, 22)
  // Weak: the same for both encodings.
  return { type, etag: `W/"${hash}"`, plain, packed: await pack(plain) }
}

/** Sends a document, or 304 to whoever has it. */
export function sendDocument(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, etag, plain, packed }: KeptDocument,
): FastifyReply {
  const vary = [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', ')
  reply.header('vary', vary)
  // A reply that is marked with the version of the data was checked by it.
  if (!reply.hasHeader('etag')) {
    reply.headers({ etag, 'cache-control': 'no-cache' })
    if (hasAlready(request, etag)) return reply.code(304).send()
  }
  reply.type(type)
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(plain)
  return reply.header('content-encoding', 'gzip').send(packed)
}

// A CDN shows a change within a minute. Browsers ask each time, and are mostly told that nothing changed.
export const SHARED_A_MINUTE = 'public, max-age=0, s-maxage=60, stale-while-revalidate=60'

/** The weak ETag of what these together make. */
export const etagOf = (...from: readonly string[]): string =>
  `W/"${createHash('sha256').update(from.join('\n')).digest('base64url').slice(0, 22)}"`

/** Whether the reader has the document with this ETag. */
export function hasAlready({ headers }: FastifyRequest, etag: string): boolean {
  const known = headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known?.includes(etag.replace(/^W\//, '')) ?? false
}

import { Readable } from 'node:stream'
import { constants, createGzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { networkOf } from '#server/platform/net/addresses.ts'
import { takesGzip } from './handler.ts'
import { clientHasCopy } from './kept-documents.ts'

/** A public document of any length, written while it is read from the database. */
export type StreamedDocument = {
  readonly type: string
  /** Version of the content, known before the first piece is read. */
  readonly version: string
  readonly cacheControl: string
  /** Called once, when the client starts to read. */
  readonly pieces: () => AsyncIterable<string>
}

/** Slots for concurrent streams; see `streamSlots`. */
export type StreamSlots = { take(ip: string): () => void }

const RETRY_SECONDS = 30

/**
 * Limits concurrent streams, in total and per IP address. Each keeps a page of rows and a compressor in memory until
 * its client finishes, which can take many minutes.
 */
export function streamSlots({ all, perAddress }: { all: number; perAddress: number }): StreamSlots {
  const taken = new Map<string, number>()
  return {
    take(ip) {
      const network = networkOf(ip)
      const own = taken.get(network) ?? 0
      const total = [...taken.values()].reduce((sum, count) => sum + count, 0)
      if (total >= all || own >= perAddress) {
        throw new AppError('BUSY', 'Too many downloads are in progress. Please try again in a moment.', {
          retryAfterSeconds: RETRY_SECONDS,
        })
      }
      taken.set(network, own + 1)
      return () => {
        const left = (taken.get(network) ?? 1) - 1
        if (left > 0) taken.set(network, left)
        else taken.delete(network)
      }
    },
  }
}

/**
 * Streams a document at the client's pace, or sends 304 if the client already has it.
 * @throws AppError BUSY if no slot is free
 */
export function sendStreamed(
  request: FastifyRequest,
  reply: FastifyReply,
  { type, version, cacheControl, pieces }: StreamedDocument,
  places: StreamSlots,
): FastifyReply {
  // Weak: the same for both encodings.
  const etag = `W/"${version}"`
  const isKnown = clientHasCopy(request, etag)
  // For HEAD, Fastify would read and discard everything.
  const isRead = !isKnown && request.method !== 'HEAD'
  const leave = isRead ? places.take(request.ip) : undefined
  const vary = [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', ')
  reply.headers({ etag, vary, 'cache-control': cacheControl })
  if (isKnown) return reply.code(304).send()
  reply.type(type)
  if (!leave) return reply.send('')
  const plain = Readable.from(pieces())
  plain.once('close', leave)
  if (!takesGzip(request.headers['accept-encoding'])) return reply.send(plain)
  const packed = createGzip({ level: constants.Z_BEST_SPEED })
  plain.on('error', (error) => packed.destroy(error))
  packed.on('close', () => plain.destroy())
  return reply.header('content-encoding', 'gzip').send(plain.pipe(packed))
}

/** Escapes text for an XML element or attribute and drops characters that XML does not allow. */
export const xmlText = (text: string): string =>
  text
    .replaceAll(/[[\p{Cc}\p{Cs}\uFFFE\uFFFF]--[\t\n\r]]/gv, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')

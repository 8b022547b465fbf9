import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint, EndpointTable, Input, Reply } from '#contract/endpoint.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { Db } from '#server/platform/database/database.ts'

export type UploadedFile = { filename: string; mimeType: string; bytes: Buffer }

/** An uploaded file of any size, spooled to the disk before the handler sees it; it is gone when the call has ended. */
export type SpooledFile = {
  filename: string
  mimeType: string
  bytes: number
  /** Of the bytes as sent, in hex. */
  sha256: string
  /** The content from the beginning; may be asked for more than once. */
  open(): Readable
  /** The content for readers that jump about in it, for as long as the call runs. */
  blob(): Promise<Blob>
}

export type BinaryReply = { stream: Readable | Buffer; headers: Record<string, string>; status?: 200 | 304 }

type ActorFor<E extends Endpoint> = E['access'] extends 'public'
  ? undefined
  : E['access'] extends 'anyone'
    ? Actor | undefined
    : Actor

/**
 * What a handler gets. The body is read only when `body()` is called, so that a handler which first asks for the
 * record (and answers 404 where it is not the caller's) keeps the contract's order: token, role, ownership, body.
 */
export type HandlerRequest<E extends Endpoint> = Pick<Input<E>, 'params' | 'query'> & {
  actor: ActorFor<E>
  requestId: string
  ip: string
  headers: Record<string, string | string[] | undefined>
  db: Db
  /** @throws AppError VALIDATION_FAILED with a sentence for each field */
  body(): Promise<Input<E>['body']>
  /** The picture of a multipart body, if one came. */
  file(): Promise<UploadedFile | undefined>
  /** The file of an endpoint with `upload`, if one came. */
  upload(): Promise<SpooledFile | undefined>
  setHeader(name: string, value: string): void
  /**
   * Checks a reply and writes it out before its time: a long one, while the database still works. The handler answers with
   * this very object then, or fails.
   */
  prepareReply(reply: Reply<E>): void
}

type Plain<E extends Endpoint> = (
  request: HandlerRequest<E>,
) => Promise<E['reply'] extends 'binary' ? BinaryReply : Reply<E>>

/**
 * A creating call (see `isCreating`) comes in two steps: the handler reads and prepares (decodes a picture, hashes a
 * password), then answers with the writing, as a function of the database. With an Idempotency-Key the writing runs in
 * the transaction that also remembers its answer; slow preparation would hold that transaction's connection.
 */
type Creating<E extends Endpoint> = (request: HandlerRequest<E>) => Promise<(db: Db) => Promise<Reply<E>>>

type IsCreating<E extends Endpoint> = E['status'] extends 201
  ? true
  : E['status'] extends 202
    ? 'KEY_REUSED' extends E['errors'][number]
      ? true
      : false
    : false

export type Handler<E extends Endpoint> = IsCreating<E> extends true ? Creating<E> : Plain<E>

/** Calls that make something honour an Idempotency-Key: all with status 201, and those with 202 that declare KEY_REUSED. */
export const isCreating = ({ status, errors }: Endpoint): boolean =>
  status === 201 || (status === 202 && errors.includes('KEY_REUSED'))

/** One handler for every endpoint of a table: a missing or a surplus one does not compile. */
export type Handlers<T extends EndpointTable> = { [K in keyof T]: Handler<T[K]> }

/** A reply written out before its time, and packed meanwhile where its reader takes that. */
export type PreparedReply = { json: string; packed?: Promise<Buffer | undefined> }

const pack = promisify(gzip)
// So much comes out of the packing thread at once; each piece waits for this process to take it.
const PIECE_BYTES = 512 * 1024

/** Packing a long reply takes as long as writing it to the database: another thread does so before the handler is through. */
export function preparedReply({ headers }: FastifyRequest, json: string): PreparedReply {
  if (!takesGzip(headers['accept-encoding'])) return { json }
  const packed = pack(json, { chunkSize: PIECE_BYTES, level: constants.Z_BEST_SPEED })
  // A reply that could not be packed is sent as it is, and nobody may be waiting for this one any more.
  return { json, packed: packed.catch(() => undefined) }
}

export async function sendPrepared(
  reply: FastifyReply,
  status: number,
  { json, packed }: PreparedReply,
): Promise<FastifyReply> {
  reply.code(status).type('application/json; charset=utf-8')
  const bytes = await packed
  if (!bytes) return reply.send(json)
  const vary = [reply.getHeader('vary') ?? [], 'accept-encoding'].flat().join(', ')
  return reply.headers({ 'content-encoding': 'gzip', vary }).send(bytes)
}

/** Whether a header names it without refusing it. */
function takesGzip(accepted: string | string[] | undefined): boolean {
  return /\bgzip\s*(?:$|,|;\s*q=(?!0(?:\.0*)?\s*(?:,|$)))/i.test(String(accepted ?? ''))
}

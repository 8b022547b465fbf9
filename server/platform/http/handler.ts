import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Endpoint, EndpointTable, Input, Reply } from '#contract/endpoint.ts'
import type { Actor } from '#server/platform/actor.ts'
import type { DataScope } from '#server/platform/data-scope.ts'
import type { Db } from '#server/platform/database/database.ts'

export type UploadedFile = { filename: string; mimeType: string; bytes: Buffer }

/** An uploaded file of any size, spooled to disk before the handler runs and deleted when the call ends. */
export type SpooledFile = {
  filename: string
  mimeType: string
  bytes: number
  /** Hash of the bytes as sent, in hex. */
  sha256: string
  /** Reads the content from the start; may be called more than once. */
  open(): Readable
  /** The content for random access, valid while the call runs. */
  blob(): Promise<Blob>
}

export type BinaryReply = { stream: Readable | Buffer; headers: Record<string, string>; status?: 200 | 304 }

type ActorFor<E extends Endpoint> = E['access'] extends 'public'
  ? undefined
  : E['access'] extends 'anyone'
    ? Actor | undefined
    : Actor

/**
 * The request passed to a handler. The body is read only when `body()` is called, so that a handler can check ownership
 * first (404) and keep the contract's order: token, role, ownership, body.
 */
export type HandlerRequest<E extends Endpoint> = Pick<Input<E>, 'params' | 'query'> & {
  actor: ActorFor<E>
  requestId: string
  ip: string
  headers: Record<string, string | string[] | undefined>
  db: Db
  /** @throws AppError VALIDATION_FAILED with a message per field */
  body(): Promise<Input<E>['body']>
  /** The picture of a multipart body, if any. */
  file(): Promise<UploadedFile | undefined>
  /** The file of an endpoint with `upload`, if any. */
  upload(): Promise<SpooledFile | undefined>
  setHeader(name: string, value: string): void
  /** Takes what a kept reply was made from, if that is not everything. */
  scope: DataScope
  /**
   * Validates and serializes a long reply early, while the database is still working. The handler must then return this
   * same object, or fail.
   */
  prepareReply(reply: Reply<E>): void
  /**
   * Marks a reply object that several requests return: it is checked, serialized and compressed once. It must not be
   * changed afterwards.
   */
  shareReply(reply: Reply<E>): void
}

type Plain<E extends Endpoint> = (
  request: HandlerRequest<E>,
) => Promise<E['reply'] extends 'binary' ? BinaryReply : Reply<E>>

/**
 * A creating call (see `isCreating`) has two steps: the handler reads and prepares (decodes a picture, hashes a password),
 * then returns a function that writes to the database. With an Idempotency-Key the writes share a transaction with the
 * stored reply; slow preparation inside it would block a connection.
 */
type Creating<E extends Endpoint> = (request: HandlerRequest<E>) => Promise<(db: Db) => Promise<Reply<E>>>

type IsCreating<E extends Endpoint> = E['status'] extends 201
  ? true
  : E['status'] extends 202
    ? 'KEY_REUSED' extends E['errors'][number]
      ? true
      : false
    : false

type Handler<E extends Endpoint> = IsCreating<E> extends true ? Creating<E> : Plain<E>

/** Calls that accept an Idempotency-Key: all with status 201, and those with 202 that declare KEY_REUSED. */
export const isCreating = ({ status, errors }: Endpoint): boolean =>
  status === 201 || (status === 202 && errors.includes('KEY_REUSED'))

/** One handler per endpoint of a table: a missing or extra one does not compile. */
export type Handlers<T extends EndpointTable> = { [K in keyof T]: Handler<T[K]> }

/** A reply serialized early, and compressed meanwhile if the client accepts gzip. */
export type PreparedReply = { json: string; packed?: Promise<Buffer | undefined> }

const pack = promisify(gzip)
// Larger chunks mean fewer handovers from zlib's thread to this one.
const PIECE_BYTES = 512 * 1024

/** Compressing a long reply takes as long as the database write, so zlib's thread does it while the handler is running. */
export function preparedReply({ headers }: FastifyRequest, json: string): PreparedReply {
  if (!takesGzip(headers['accept-encoding'])) return { json }
  const packed = pack(json, { chunkSize: PIECE_BYTES, level: constants.Z_BEST_SPEED })
  // If compression fails the plain JSON is sent. Without the catch, an abandoned promise could crash the process.
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

/** Whether Accept-Encoding lists gzip with a quality above 0. */
export function takesGzip(accepted: string | string[] | undefined): boolean {
  return /\bgzip\s*(?:$|,|;\s*q=(?!0(?:\.0*)?\s*(?:,|$)))/i.test(String(accepted ?? ''))
}

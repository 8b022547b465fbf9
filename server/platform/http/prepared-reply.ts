import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

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

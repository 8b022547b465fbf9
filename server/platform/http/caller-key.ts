import type { FastifyRequest } from 'fastify'
import { networkOf } from '#server/platform/network-of.ts'

/** Whose budget a request draws on: the person's, else the address's. */
export function callerKey(request: FastifyRequest): string {
  return request.actor ? `user:${request.actor.userId}` : `ip:${networkOf(request.ip)}`
}

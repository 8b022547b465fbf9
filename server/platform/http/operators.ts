import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { AppError } from '#server/platform/errors.ts'
import { networksOf } from '#server/platform/net/addresses.ts'
import { callerKey, OPERATOR_CALLS, tooMany } from './limits/rate-limits.ts'

/** Who may read metrics and the API documentation. */
export type OperatorAccess = {
  /** Open to everyone, as in demo mode. */
  readonly open: boolean
  readonly token: string | undefined
  readonly networks: readonly string[]
  /** If no proxy is trusted, the address of a forwarded request proves nothing. */
  readonly trustsProxies: boolean
}

/**
 * A hook that lets only operators in, with a rate limit that also limits token guessing. The token is sent as a bearer
 * token (Prometheus) or as the password of basic authentication (browsers).
 */
export function operatorsOnly(app: FastifyInstance, access: OperatorAccess): onRequestAsyncHookHandler {
  const { most: max, seconds } = OPERATOR_CALLS
  const take = app.createRateLimit({ max, timeWindow: seconds * 1000, keyGenerator: callerKey })
  const isInside = networksOf(access.networks)
  const mayRead = (request: FastifyRequest) =>
    access.open || isToken(request, access.token) || (isInside(request.ip) && isDirect(request, access))
  return async (request, reply) => {
    const budget = await take(request)
    if (!budget.isAllowed && budget.isExceeded) throw tooMany(budget.ttlInSeconds)
    if (mayRead(request)) return
    reply.header('www-authenticate', 'Basic realm="operators", Bearer')
    throw new AppError(
      'SIGNED_OUT',
      'This URL is for operators: send OPS_TOKEN as a bearer token, or send the request from an address in OPS_NETWORKS.',
    )
  }
}

function isToken({ headers: { authorization = '' } }: FastifyRequest, token: string | undefined): boolean {
  if (token === undefined) return false
  const [scheme = '', sent = ''] = authorization.split(' ')
  if (/^bearer$/i.test(scheme)) return isSame(sent, token)
  if (!/^basic$/i.test(scheme)) return false
  // "name:password" with any name.
  return isSame(
    Buffer.from(sent, 'base64')
      .toString()
      .replace(/^[^:]*:/, ''),
    token,
  )
}

function isSame(sent: string, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(sent), digest(token))
}

function isDirect({ headers }: FastifyRequest, { trustsProxies }: OperatorAccess): boolean {
  return trustsProxies || (headers['x-forwarded-for'] === undefined && headers.forwarded === undefined)
}

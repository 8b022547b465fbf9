import type { Access } from '#contract/endpoint.ts'
import { type Actor, type Authenticate, isAdmin } from '#server/platform/actor.ts'
import { AppError } from '#server/platform/app-error.ts'

/** The token of `Authorization: Bearer …`; undefined where there is none or it has another form. */
function bearerToken(header: string | undefined): string | undefined {
  return /^Bearer ([\w.~+/-]{1,512}=*)$/i.exec(header ?? '')?.[1]
}

/**
 * Finds out who calls and whether they may. A public call never looks at the token.
 * @throws AppError SIGNED_OUT (401), NOT_ALLOWED or PRO_ONLY (403)
 */
export async function checkAccess(
  access: Access,
  authorization: string | undefined,
  authenticate: Authenticate,
): Promise<Actor | undefined> {
  if (access === 'public') return undefined
  const token = bearerToken(authorization)
  const actor = token === undefined ? undefined : await authenticate(token)
  if (access === 'anyone') return actor
  if (!actor) throw new AppError('SIGNED_OUT', 'Please login to continue')
  if (access === 'admin' && !isAdmin(actor)) {
    throw new AppError('NOT_ALLOWED', 'Only an administrator may do this.')
  }
  if (access === 'pro' && actor.tier !== 'PAID') {
    throw new AppError('PRO_ONLY', 'Access denied (Pro feature). Please upgrade to continue.')
  }
  return actor
}

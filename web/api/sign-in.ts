import { accountEndpoints } from '#contract/accounts.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from './client.ts'
import { forgetDeviceCopies } from './device-copies.ts'
import { clearSession, currentSession, startSession } from './session.ts'

/** Signs in and keeps the session; throws what the call throws. */
export async function signIn(
  email: string,
  password: string,
): Promise<Answer<typeof accountEndpoints.login>> {
  const answer = await call(accountEndpoints.login, { body: { email, password } })
  startSession(answer)
  return answer
}

/** Forgets the session here and in other tabs at once, and ends it on the server as soon as that can be reached. */
export async function signOut(): Promise<void> {
  const ended = currentSession().token === undefined ? undefined : call(accountEndpoints.logout)
  clearSession()
  forgetDeviceCopies()
  // Without a connection the token stays alive on the server until it expires; nobody holds it any more.
  await ended?.catch(() => undefined)
}

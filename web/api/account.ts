import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import {
  accountEndpoints,
  type FactorProof,
  factorEndpoints,
  type LoginProof,
  type User,
} from '#contract/account/accounts.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call, queryClient } from './client.ts'
import { forgetDeviceCopies } from './device-copies.ts'
import { signWithPasskey } from './passkeys.ts'
import { clearSession, currentSession, refreshUser, startSession, useSession } from './session.ts'

/** Signs in and stores the session, or returns the ticket of the second step; throws what `call` throws. */
export async function signIn(
  email: string,
  password: string,
  proof?: LoginProof,
): Promise<Answer<typeof accountEndpoints.login>> {
  const answer = await call(accountEndpoints.login, { body: { email, password, ...(proof && { proof }) } })
  if ('token' in answer) startSession(answer)
  return answer
}

/** Asks the device for a passkey of this site, whoever it belongs to; throws what `call` throws, and PasskeyError. */
export async function showPasskey(): Promise<LoginProof> {
  const { ticket, passkey } = await call(factorEndpoints.startPasskeyLogin)
  return { ticket, assertion: await signWithPasskey(passkey) }
}

/** Finishes signing in with the second step; throws what `call` throws. */
export async function finishSignIn(
  ticket: string,
  proof: FactorProof,
): Promise<Answer<typeof factorEndpoints.loginFactor>> {
  const answer = await call(factorEndpoints.loginFactor, { body: { ticket, ...proof } })
  startSession(answer)
  return answer
}

/** Signs in with the token of an emailed link, or returns the ticket of the second step; throws what `call` throws. */
export async function signInByLink(token: string): Promise<Answer<typeof accountEndpoints.useSignInLink>> {
  const answer = await call(accountEndpoints.useSignInLink, { body: { token } })
  if ('token' in answer) startSession(answer)
  return answer
}

/** Clears the session here and in other tabs right away, and ends it on the server if that can be reached. */
export async function signOut(): Promise<void> {
  const ended = currentSession().token === undefined ? undefined : call(accountEndpoints.logout)
  clearSession()
  forgetDeviceCopies()
  // Offline, the token stays valid on the server until it expires, but no client has it anymore.
  await ended?.catch(() => undefined)
}

/**
 * Stores the user that a response returned, for every page. A profile request sent before the change is
 * canceled: its response would restore the old data.
 */
export async function keepUser(user: User): Promise<void> {
  if (currentSession().user?.id !== user.id) return
  await queryClient.cancelQueries({ queryKey: ['profile'] })
  queryClient.setQueryData(['profile', user.id], user)
  refreshUser(user)
}

/** Reloads the signed-in user; throws what `call` throws. */
export async function refreshProfile(): Promise<void> {
  await keepUser(await call(accountEndpoints.profile))
}

/**
 * The signed-in user, for pages behind the guard: from the session right away, then updated from the server (the plan or
 * payout status may have changed since sign-in). Undefined only while the guard is closing.
 */
export function useProfile(): User | undefined {
  const { user } = useSession()
  const { data } = useQuery({
    queryKey: ['profile', user?.id],
    queryFn: ({ signal }) => call(accountEndpoints.profile, { signal }),
    enabled: user !== undefined,
  })
  useEffect(() => {
    if (data) refreshUser(data)
  }, [data])
  return user
}

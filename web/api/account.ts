import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { accountEndpoints, type User } from '#contract/accounts.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call, queryClient } from './client.ts'
import { forgetDeviceCopies } from './device-copies.ts'
import { clearSession, currentSession, refreshUser, startSession, useSession } from './session.ts'

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

/**
 * What an answer said about the signed-in person, for every page at once. A profile that was asked for before the
 * change is not waited for: it would put the old one back.
 */
export async function keepUser(user: User): Promise<void> {
  if (currentSession().user?.id !== user.id) return
  await queryClient.cancelQueries({ queryKey: ['profile'] })
  queryClient.setQueryData(['profile', user.id], user)
  refreshUser(user)
}

/** Reads the signed-in person anew; throws what the call throws. */
export async function refreshProfile(): Promise<void> {
  await keepUser(await call(accountEndpoints.profile))
}

/**
 * The signed-in person for pages behind the guard: what the session knows at once, and what the server says a moment
 * later (a tier or a payout status may have changed since sign-in). Undefined only while the guard is closing.
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

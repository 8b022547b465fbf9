import { accountEndpoints, type User } from '#contract/accounts.ts'
import { call } from './client.ts'
import { queryClient } from './query-client.ts'
import { currentSession, refreshUser } from './session.ts'

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

import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { accountEndpoints, type User } from '#contract/accounts.ts'
import { call } from './client.ts'
import { refreshUser, useSession } from './session.ts'

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

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { accountEndpoints } from '#contract/accounts.ts'
import type { Answer } from '#contract/endpoint.ts'
import { call } from '#web/api/client.ts'
import { forgetDeviceCopies } from '#web/api/device-copies.ts'
import { clearSession } from '#web/api/session.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

export type Device = Answer<typeof accountEndpoints.listSessions>['items'][number]

const place = 'top-center'
const about = 'sessions'

/** Where the person is signed in, and the ways to end that. */
export function useSessions() {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const sessions = useQuery({
    queryKey: ['sessions'],
    queryFn: ({ signal }) => call(accountEndpoints.listSessions, { signal }),
  })
  const ending = useMutation({
    mutationFn: ({ id }: Device) => call(accountEndpoints.endSession, { params: { id } }),
    onSuccess: () => notifyDone('Device signed out', { place, about }),
    onError: (error) => notifyError(error, 'Could not sign out that device', { place, about }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['sessions'] }),
  })
  const endingAll = useMutation({
    mutationFn: () => call(accountEndpoints.endAllSessions),
    onSuccess: async () => {
      // First away from here, so that the guard of this page does not start its countdown.
      await navigate(paths.login)
      clearSession()
      forgetDeviceCopies()
      notifyDone('Signed out everywhere')
    },
    onError: (error) => notifyError(error, 'Could not sign out everywhere', { place, about }),
  })
  return { sessions, ending, endingAll }
}

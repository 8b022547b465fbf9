import { useQuery } from '@tanstack/react-query'
import { automationEndpoints, hasEnded } from '#contract/automation.ts'
import { call } from '#web/api/client.ts'

/** Spec, section 9. */
const POLL_MS = 3_000
/** The stream tells what happens; the record has counts, artifacts and the engine's state besides. */
const WHILE_LIVE_MS = 15_000

export const jobKey = (id: string) => ['automation', 'job', id]

/** One job, asked for again until it has ended. */
export function useJob(id: string, { isLive }: { isLive: boolean }) {
  return useQuery({
    queryKey: jobKey(id),
    queryFn: ({ signal }) => call(automationEndpoints.readJob, { params: { id }, signal }),
    refetchInterval: ({ state }) => {
      if (state.data && hasEnded(state.data.status)) return false
      return isLive ? WHILE_LIVE_MS : POLL_MS
    },
    staleTime: 0,
  })
}

import { Badge } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { leadEndpoints } from '#contract/leads.ts'
import { call } from '#web/api/client.ts'

/** "3 new" beside the way to the messages; nothing while all of them are answered or closed. */
export function NewMessages() {
  const { data: waiting = 0 } = useQuery({
    queryKey: ['leads', 'waiting'],
    queryFn: async ({ signal }) => {
      const { counts } = await call(leadEndpoints.listLeads, { query: { perPage: 1 }, signal })
      return counts.new
    },
  })
  return waiting > 0 ? <Badge size="md">{waiting.toLocaleString('en-US')} new</Badge> : null
}

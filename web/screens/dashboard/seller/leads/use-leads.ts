import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Lead, type LeadState, leadEndpoints } from '#contract/leads.ts'
import { call } from '#web/api/client.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import type { Inbox } from './inbox-view.ts'

const perPage = 24
const oneKey = (id: string | undefined) => ['leads', 'one', id]

export function useLeadList({ view, page }: Inbox) {
  const query = { page, perPage, ...(view !== 'all' && { state: view }) }
  return useQuery({
    queryKey: ['leads', 'list', query],
    queryFn: ({ signal }) => call(leadEndpoints.listLeads, { query, signal }),
    placeholderData: keepPreviousData,
    // A yard keeps this page open all day.
    refetchInterval: 60_000,
  })
}

/** One message by its id, which may stand in no list that is shown; `listed` is what a list knows of it already. */
export function useLead(id: string, listed: Lead | undefined) {
  return useQuery({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => call(leadEndpoints.readLead, { params: { id }, signal }),
    ...(listed && { placeholderData: listed }),
  })
}

/** A change of state; `takesBack` is the state that Undo leads to. */
type Move = { to: LeadState; done: string; takesBack?: LeadState }

/** What a seller does with a message. `onAnswered` is told what was sent. */
export function useLeadActions({ id }: Lead, onAnswered: (sent: string) => void) {
  const queryClient = useQueryClient()
  const keep = async (lead: Lead) => {
    queryClient.setQueryData(oneKey(id), lead)
    await queryClient.invalidateQueries({ queryKey: ['leads'] })
  }
  const about = `message ${id}`

  const answering = useMutation({
    mutationFn: (message: string) => call(leadEndpoints.answerLead, { params: { id }, body: { message } }),
    onSuccess: (lead, sent) => {
      notifyDone('Answer sent', { about })
      onAnswered(sent)
      void keep(lead)
    },
  })
  const moving = useMutation({
    mutationFn: ({ to }: Move) => call(leadEndpoints.setLeadState, { params: { id }, body: { state: to } }),
    onSuccess: (lead, { done, takesBack }) => {
      const undo = (to: LeadState) => ({
        label: 'Undo',
        run: () => moving.mutate({ to, done: 'Taken back' }),
      })
      notifyDone(done, { about, ...(takesBack && { action: undo(takesBack) }) })
      void keep(lead)
    },
    onError: (error) => notifyError(error, 'The message could not be changed', { about }),
  })
  return { answering, moving }
}

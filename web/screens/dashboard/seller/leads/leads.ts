import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Lead, type LeadState, leadEndpoints, leadStates } from '#contract/leads.ts'
import { call } from '#web/api/client.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

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

export const inboxViews = [...leadStates, 'all'] as const
export type InboxView = (typeof inboxViews)[number]
/** Which messages are listed, and which one is open; as it stands in the address. */
export type Inbox = { view: InboxView; page: number; leadId: string | undefined }

export const viewNames: Record<InboxView, string> = {
  new: 'New',
  answered: 'Answered',
  closed: 'Closed',
  all: 'All',
}

/** What the address says; without a word of it, the messages that wait for an answer. */
export function readInbox(params: URLSearchParams): Inbox {
  const page = Number(params.get('page') ?? 1)
  return {
    view: inboxViews.find((view) => view === params.get('state')) ?? 'new',
    page: Number.isSafeInteger(page) && page > 0 && page <= 100_000 ? page : 1,
    leadId: params.get('lead') || undefined,
  }
}

/** The query of an inbox's address; what is usual is left out. */
export function inboxQuery({ view, page, leadId }: Inbox): string {
  const params = new URLSearchParams()
  if (view !== 'new') params.set('state', view)
  if (page !== 1) params.set('page', String(page))
  if (leadId !== undefined) params.set('lead', leadId)
  const query = params.toString()
  return query === '' ? '' : `?${query}`
}

type Counts = Record<LeadState, number>

export const countIn = (view: InboxView, counts: Counts): number =>
  view === 'all' ? counts.new + counts.answered + counts.closed : counts[view]

/** What to say where a view holds nothing. */
export function emptyWords(view: InboxView, counts: Counts): { title: string; text: string } {
  if (countIn('all', counts) === 0) {
    return {
      title: 'No messages yet',
      text: 'Every part you list has a form on its page. What buyers write there comes in here, and by e-mail if you like.',
    }
  }
  const texts: Record<InboxView, { title: string; text: string }> = {
    new: { title: 'Nothing is waiting for you', text: 'Every message has been answered or closed.' },
    answered: { title: 'No answered messages', text: 'Messages move here when you answer them.' },
    closed: { title: 'No closed messages', text: 'Close a message when it is settled; it is kept here.' },
    all: { title: 'No messages yet', text: '' },
  }
  return texts[view]
}

export const stateColors: Record<LeadState, string> = { new: 'sea', answered: 'good', closed: 'gray' }

type About = Pick<Lead, 'listing' | 'listingTitle'>

/** The part as it is called now; where it was deleted, as it was called then. */
export const partOf = ({ listing, listingTitle }: About): string => listing?.title ?? listingTitle

/** Opens the seller's own mail program, with the part as the subject. */
export const mailLink = (email: string, about: About): string =>
  `mailto:${email}?subject=${encodeURIComponent(`Re: ${partOf(about)}`)}`

/** To call a number as it was typed; undefined where there is nothing to dial in it. */
export function phoneLink(phone: string): string | undefined {
  const dialled = phone.replaceAll(/[^\d+]/g, '')
  return /\d{3}/.test(dialled) ? `tel:${dialled}` : undefined
}

/** What "Open again" makes of a closed message. */
export const stateBefore = ({ answeredAt }: Pick<Lead, 'answeredAt'>): LeadState =>
  answeredAt === null ? 'new' : 'answered'

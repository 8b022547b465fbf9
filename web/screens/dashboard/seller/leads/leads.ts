import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type Lead, type LeadState, leadEndpoints, leadStates } from '#contract/leads.ts'
import type { offerHours } from '#contract/pages/conversations.ts'
import { call } from '#web/api/client.ts'
import { headlineOf } from '#web/components/conversation-words.ts'
import { useSingleMutation } from '#web/components/form/use-single-mutation.ts'
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

/** One message, which may not be in the visible list. `listed` is shown until it loads. */
export function useLead(id: string, listed: Lead | undefined) {
  return useQuery({
    queryKey: oneKey(id),
    queryFn: ({ signal }) => call(leadEndpoints.readLead, { params: { id }, signal }),
    ...(listed && { placeholderData: listed }),
  })
}

/** A state change. Undo leads to `undoTo`. */
type Move = { to: LeadState; done: string; undoTo?: LeadState }

/** Takes over a conversation after a change. */
function useKeptLead(id: string) {
  const queryClient = useQueryClient()
  return async (lead: Lead) => {
    queryClient.setQueryData(oneKey(id), lead)
    await queryClient.invalidateQueries({ queryKey: ['leads'] })
  }
}

const aboutLead = (id: string) => `message ${id}`

/** Answering a message and changing its state. `onAnswered` receives the sent text. */
export function useLeadActions({ id }: Lead, onAnswered: (sent: string) => void) {
  const keep = useKeptLead(id)
  const about = aboutLead(id)

  const answering = useSingleMutation({
    mutationFn: (message: string) => call(leadEndpoints.answerLead, { params: { id }, body: { message } }),
    onSuccess: (lead, sent) => {
      notifyDone(lead.emailConfirmed ? 'Reply sent' : 'Reply saved', { about })
      onAnswered(sent)
      void keep(lead)
    },
  })
  const moving = useSingleMutation({
    mutationFn: ({ to }: Move) => call(leadEndpoints.setLeadState, { params: { id }, body: { state: to } }),
    onSuccess: (lead, { done, undoTo }) => {
      const undo = (to: LeadState) => ({
        label: 'Undo',
        run: () => moving.mutate({ to, done: 'Undone' }),
      })
      notifyDone(done, { about, ...(undoTo && { action: undo(undoTo) }) })
      void keep(lead)
    },
    onError: (error) => notifyError(error, 'The message could not be changed', { about }),
  })
  return { answering, moving }
}

type OfferChoice = { offerId: string; answer: 'accept' | 'decline'; evenIfPromised?: boolean }
type Counter = { price: string; hours: (typeof offerHours)[number]; message: string }

/** The seller's response to a buyer's offer. After a refusal the offer is read again, because it may have changed. */
export function useOfferActions({ id }: Lead) {
  const queryClient = useQueryClient()
  const keep = useKeptLead(id)
  const about = aboutLead(id)
  const choosing = useSingleMutation({
    mutationFn: (choice: OfferChoice) => call(leadEndpoints.answerOffer, { params: { id }, body: choice }),
    onSuccess: (lead, { answer }) => {
      notifyDone(answer === 'accept' ? 'Offer accepted' : 'Offer declined', { about })
      void keep(lead)
    },
    onError: (error) => {
      notifyError(error, 'The offer could not be answered', { about })
      void queryClient.invalidateQueries({ queryKey: ['leads'] })
    },
  })
  const countering = useSingleMutation({
    mutationFn: (counter: Counter) => call(leadEndpoints.counterOffer, { params: { id }, body: counter }),
    onSuccess: (lead) => {
      notifyDone('Counteroffer sent', { about })
      void keep(lead)
    },
  })
  return { choosing, countering }
}

type SoldChoice = { soldToThem: boolean; tellOthers: boolean; endListing: boolean }

export function useSoldAction({ id }: Lead) {
  const queryClient = useQueryClient()
  const keep = useKeptLead(id)
  const about = aboutLead(id)
  return useSingleMutation({
    mutationFn: (choice: SoldChoice) => call(leadEndpoints.closeAsSold, { params: { id }, body: choice }),
    onSuccess: ({ lead, told, listingEnded }) => {
      notifyDone(soldMessage({ told, listingEnded }), { about })
      if (listingEnded) void queryClient.invalidateQueries({ queryKey: ['listings'] })
      void keep(lead)
    },
    onError: (error) => notifyError(error, 'That could not be saved', { about }),
  })
}

/** What happened, in a toast. */
export function soldMessage({ told, listingEnded }: { told: number; listingEnded: boolean }): string {
  if (told === 0) return listingEnded ? 'Marked as sold' : 'Message closed'
  const buyers = told === 1 ? '1 buyer notified' : `${told} buyers notified`
  return listingEnded ? `${buyers}, listing marked as sold` : buyers
}

const repliesKey = ['quick-replies']

export const useQuickReplies = () =>
  useQuery({
    queryKey: repliesKey,
    queryFn: ({ signal }) => call(leadEndpoints.readQuickReplies, { signal }),
    staleTime: 60_000,
  })

export function useSaveQuickReplies(onSaved: () => void) {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: (replies: string[]) => call(leadEndpoints.setQuickReplies, { body: { replies } }),
    onSuccess: (saved) => {
      queryClient.setQueryData(repliesKey, saved)
      notifyDone('Quick replies saved')
      onSaved()
    },
    onError: (error) => notifyError(error, 'Could not save the quick replies'),
  })
}

/** Appends a quick reply to the draft. */
export const withReply = (draft: string, reply: string): string =>
  draft.trim() === '' ? reply : `${draft.trimEnd()}\n\n${reply}`

export const inboxViews = [...leadStates, 'all'] as const
export type InboxView = (typeof inboxViews)[number]
/** Which messages are listed and which one is open, as stored in the URL. */
export type Inbox = { view: InboxView; page: number; leadId: string | undefined }

export const viewNames: Record<InboxView, string> = {
  new: 'New',
  answered: 'Answered',
  closed: 'Closed',
  all: 'All',
}

/** Reads the URL. The default is new messages. */
export function readInbox(params: URLSearchParams): Inbox {
  const page = Number(params.get('page') ?? 1)
  return {
    view: inboxViews.find((view) => view === params.get('state')) ?? 'new',
    page: Number.isSafeInteger(page) && page > 0 && page <= 100_000 ? page : 1,
    leadId: params.get('lead') || undefined,
  }
}

/** The URL query of an inbox, without default values. */
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

/** The empty-state text of a view. */
export function emptyWords(view: InboxView, counts: Counts): { title: string; text: string } {
  if (countIn('all', counts) === 0) {
    return {
      title: 'No messages yet',
      text: 'Every part you list has a contact form. Messages arrive here, and by email if you like.',
    }
  }
  const texts: Record<InboxView, { title: string; text: string }> = {
    new: { title: 'No new messages', text: 'You have answered or closed every message.' },
    answered: { title: 'No answered messages', text: 'Messages move here when you reply.' },
    closed: { title: 'No closed messages', text: 'Messages you close are kept here.' },
    all: { title: 'No messages yet', text: '' },
  }
  return texts[view]
}

export const stateColors: Record<LeadState, string> = { new: 'sea', answered: 'good', closed: 'gray' }

/** The newest message in a line or two. The first one needs no name: its writer is named above it. */
export function excerptOf({ messages, message }: Pick<Lead, 'messages' | 'message'>): string {
  const newest = messages.at(-1)
  if (!newest || (messages.length === 1 && newest.kind === 'text')) return message
  const headline = headlineOf(newest)
  return newest.message === '' ? headline : `${headline}: ${newest.message}`
}

type About = { listing: { title: string } | null; listingTitle: string }

/** The part's current title, or its last one if it was deleted. */
export const partOf = ({ listing, listingTitle }: About): string => listing?.title ?? listingTitle

/** Opens the seller's mail app with the part as the subject. */
export const mailLink = (email: string, about: About): string =>
  `mailto:${email}?subject=${encodeURIComponent(`Re: ${partOf(about)}`)}`

/** The state a closed message returns to when reopened. */
export const stateBefore = ({ answeredAt }: Pick<Lead, 'answeredAt'>): LeadState =>
  answeredAt === null ? 'new' : 'answered'

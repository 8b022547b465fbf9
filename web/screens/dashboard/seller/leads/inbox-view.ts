import { type LeadState, leadStates } from '#contract/leads.ts'

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

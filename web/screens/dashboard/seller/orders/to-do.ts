import type { SellerAction } from '#contract/order/order-steps.ts'
import type { BoughtPart, SellerOrder } from '#contract/order/order-views.ts'

/* What a yard has to do about an order, in words. */

export type ToDo = {
  title: string
  /** Until when, if there is something to do. */
  at: string | null
  /** Of the deadline, if it is not the order's own. */
  zone?: string
  /** It is done on the order's own page; the label of the button that leads there. */
  onPage?: string
}

type Facts = Pick<
  SellerOrder,
  | 'actions'
  | 'held'
  | 'cancelAsked'
  | 'total'
  | 'deadline'
  | 'dispute'
  | 'shipsBy'
  | 'state'
  | 'needsAttention'
> & {
  parts?: readonly Pick<BoughtPart, 'state'>[]
  returns: readonly Pick<SellerOrder['returns'][number], 'kind' | 'state' | 'deadline'>[]
}

const titles: readonly [action: SellerAction, ofOne: string, ofSeveral: string][] = [
  ['confirm', 'Find the part', 'Find the parts'],
  ['ship', 'Ship it', 'Ship them'],
  ['ready', 'Get it ready for pickup', 'Get them ready for pickup'],
  ['hand-over', 'Hand it over', 'Hand them over'],
  ['restock', 'Is the part back on the shelf?', 'Are the parts back on the shelf?'],
]

/** Those that the order still has. */
export const isThere = ({ state }: Pick<BoughtPart, 'state'>): boolean => state !== 'not-found'

/** Undefined if the yard only waits. */
export function toDoOf(order: Facts): ToDo | undefined {
  const { state, actions, held, cancelAsked, total, deadline, dispute } = order
  if (dispute?.canAnswer && dispute.answer === '')
    return { title: 'Tell us about the dispute', at: dispute.dueBy, zone: dispute.zone, onPage: 'Answer' }
  // A part that was not found may turn up, but nobody waits for it.
  if (held || state === 'not-found') return undefined
  const at = deadline?.at ?? null
  if (cancelAsked !== null && actions.includes('refund')) return { title: 'The buyer asked to cancel', at }
  if (actions.includes('quote')) return total === null ? { title: 'Name the shipping price', at } : undefined
  return stepToDo(order, at) ?? returnToDo(order)
}

/** The next step with the parts. */
function stepToDo({ actions, shipsBy, parts = [] }: Facts, at: string | null): ToDo | undefined {
  const found = titles.find(([action]) => actions.includes(action))
  if (!found) return undefined
  const [action, ofOne, ofSeveral] = found
  const title = parts.filter(isThere).length > 1 ? ofSeveral : ofOne
  if (action === 'restock') return { title, at: null }
  return { title, at: action === 'ship' || action === 'ready' ? (shipsBy ?? at) : at }
}

/** A request to answer, or a parcel that may have come. */
function returnToDo({ returns }: Facts): ToDo | undefined {
  const waiting = returns.find(({ state }) => state === 'asked' || state === 'sent')
  if (!waiting) return undefined
  const { kind, state, deadline } = waiting
  const noun = kind === 'core' ? 'core' : 'part'
  const isAsked = state === 'asked'
  return {
    title: isAsked ? `Answer the ${kind}` : `Is the ${noun} back?`,
    at: deadline?.at ?? null,
    ...(deadline && { zone: deadline.zone }),
    onPage: isAsked ? 'Answer' : 'It is back',
  }
}

type Pulling = Pick<SellerOrder, 'held' | 'disputed' | 'state' | 'mode'>

/** Whether its parts are still to be fetched from the shelf: instant orders are paid before anybody looked. */
export const isToPull = ({ held, disputed, state, mode }: Pulling): boolean =>
  !held && !disputed && (state === 'authorized' || (state === 'confirmed' && mode === 'instant'))

const shelfOrder = new Intl.Collator('en-US', { numeric: true })

type Placed = { shelf: string | null; parts: readonly { stockNumber: string | null }[] }

/** Where a part is: the shelf note, or else the stock number, which many yards write on part and shelf. */
export const placeOf = ({ shelf, parts }: Placed): string | null => shelf ?? parts[0]?.stockNumber ?? null

/** In the order of the shelves, so that nobody walks twice; parts without a place come last. */
export function byPlace(a: Placed, b: Placed): number {
  const [first, second] = [placeOf(a), placeOf(b)]
  if (first === second) return 0
  if (first === null) return 1
  return second === null ? -1 : shelfOrder.compare(first, second)
}

export const firstName = (name: string): string => name.trim().split(/\s+/)[0] ?? name

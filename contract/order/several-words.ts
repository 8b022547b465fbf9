import type { IfMissing, OrderState } from './order-steps.ts'

/* What orders of several parts say: the words of one part, changed where they mean more than one. */

/** Of an order with several parts. */
export type SeveralParts = {
  count: number
  ifMissing: IfMissing | null
  /** Titles of those that were not found. */
  missing: readonly string[]
}

/** "Alternator and 2 more" */
export const titlesInWords = ([first = '', ...more]: readonly string[]): string =>
  more.length === 0 ? first : `${first} and ${more.length} more`

const plurals: readonly (readonly [RegExp, string])[] = [
  [/\bcould not find (the|your) part\b/g, 'could not find all parts'],
  [/\b(the|your) part is\b/gi, '$1 parts are'],
  [/\b(the|your) part arrived?\b/gi, '$1 parts arrived'],
  [/\b(the|your) part stays\b/gi, '$1 parts stay'],
  [/\b(the|your) part was\b/gi, '$1 parts were'],
  [/\b(the|your) part\b/gi, '$1 parts'],
  [/\bit goes back\b/g, 'they go back'],
  [/\bit counts as\b/gi, 'they count as'],
  [/\buntil it is\b/g, 'until they are'],
  [/\bif it is\b/g, 'if they are'],
  [/\bwhen it arrives\b/g, 'when they arrive'],
  [/\bDid it arrive\b/g, 'Did they arrive'],
  [/\b(has|have|get|ships?|shipped|find|pick) it\b/gi, '$1 them'],
]

type Said = { yard: string; buyer: string; reason?: string; several?: SeveralParts | null }

/** Says something of an order, in the plural while it has several parts. Names and a stranger's words stay as they are. */
export function inNumber<T extends Said>(order: T, say: (order: T) => string): string {
  const { count = 1, missing = [] } = order.several ?? {}
  if (count - missing.length === 1) return say(order)
  const { yard, buyer, reason = '' } = order
  const standIns = { yard: '\u0001', buyer: '\u0002', reason: reason && '\u0003' }
  return plurals
    .reduce((text, [one, more]) => text.replaceAll(one, more), say({ ...order, ...standIns }))
    .replaceAll(standIns.yard, () => yard)
    .replaceAll(standIns.buyer, () => buyer)
    .replaceAll('\u0003', () => reason)
}

const beforehand: readonly OrderState[] = ['quoting', 'pending', 'authorized']

/** What becomes of the others if one is missing; afterwards, which were. */
export function missingNote(
  { several, state, buyer }: { several?: SeveralParts | null; state: OrderState; buyer: string },
  reader: 'buyer' | 'seller',
): string {
  if (!several) return ''
  const { ifMissing, missing, count } = several
  if (missing.length > 0 && (state !== 'not-found' || missing.length < count))
    return `Not found: ${missing.join(', ')}.`
  if (!beforehand.includes(state)) return ''
  if (ifMissing === 'send')
    return reader === 'buyer'
      ? 'If a part is missing, you get the others and do not pay for it.'
      : `If a part is missing, ${buyer} takes the others.`
  return reader === 'buyer'
    ? 'If a part is missing, the whole order is canceled and you pay nothing.'
    : `If a part is missing, the whole order is canceled: ${buyer} wants all or nothing.`
}

const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)

/** Entries of the timeline that only orders of several parts have; undefined for others. */
export function severalText(
  { kind, detail }: { kind: string; detail: Readonly<Record<string, unknown>> },
  { Yard, reason }: { Yard: string; reason: string },
): string | undefined {
  if (kind === 'part-missing') {
    const titles = Array.isArray(detail.titles) ? detail.titles.join(', ') : 'a part'
    return `${Yard} could not find ${titles}${reason}. The others go on.`
  }
  const [found, of] = [numberOf(detail.found), numberOf(detail.of)]
  if (kind !== 'confirm' || found === undefined || of === undefined) return undefined
  return `${Yard} found ${found === of ? `all ${of}` : `${found} of ${of}`} parts and confirmed the order.`
}

import { onOneLine } from '#contract/order/order-words.ts'
import { moneyInWords } from '#contract/text/typed-number.ts'
import type { OrderLine } from '#server/features/money/orders/orders.ts'

/* The parts of an order in its emails. */

export type MailedPart = {
  title: string
  quantity: number
  cents: number
  /** The yard could not find it. */
  isMissing: boolean
  grade: string | null
  partNumber: string | null
  stockNumber: string | null
  shelf: string | null
}

export function mailedPartOf({ facts, quantity, state, priceCents }: OrderLine): MailedPart {
  // What was not written with an order stays unsaid: a mail has to go out all the same.
  const { title = '', grade = null, partNumber = null, stockNumber = null, shelf = null } = facts
  const isMissing = state === 'not-found'
  return { title, quantity, cents: priceCents * quantity, isMissing, grade, partNumber, stockNumber, shelf }
}

export const labeled = (label: string, value: string | null) =>
  value !== null && `${label}: ${onOneLine(value)}`

export const lines = (list: readonly (string | false | null)[]) => list.filter(Boolean).join('\n')

/** What was ordered: each of several parts with its price; a single part's is among the amounts. */
export const partLines = (parts: readonly MailedPart[]): string[] =>
  parts.map(({ title, quantity, cents, isMissing }) => {
    if (parts.length === 1) return onOneLine(title)
    const pieces = quantity === 1 ? '' : `${quantity} × `
    return `- ${pieces}${onOneLine(title)}: ${isMissing ? 'not found' : moneyInWords(cents)}`
  })

/** Where the yard finds each part that it has to look for; of several, with its title. */
export const placesOf = (parts: readonly MailedPart[]): string =>
  parts
    .filter(({ isMissing }) => parts.length === 1 || !isMissing)
    .map((part) =>
      lines([
        parts.length > 1 && onOneLine(part.title),
        labeled('Grade', part.grade),
        labeled('Part number', part.partNumber),
        labeled('Stock number', part.stockNumber),
        labeled('Shelf', part.shelf),
      ]),
    )
    .join('\n\n')

/** The vehicle that the buyer named, and whether the yard looked it up. */
type OfVehicle = { vin: string | null; vinConfirmed: boolean; yard: string }

export const vinOfBuyer = ({ vin }: Pick<OfVehicle, 'vin'>) =>
  vin === null ? '' : `VIN of your vehicle: ${onOneLine(vin)}`

/** The yard was asked about it, and a return for a part that does not fit depends on the answer. */
export const fitOf = (order: OfVehicle) =>
  order.vin === null
    ? ''
    : `${vinOfBuyer(order)}\n${onOneLine(order.yard)} ${order.vinConfirmed ? 'confirmed that the part fits it.' : 'did not check whether the part fits it.'}`

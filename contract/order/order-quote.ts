import { z } from 'zod'

export const money = z.number()
export const time = z.string()

const deliveries = ['ship', 'pickup'] as const
export const delivery = z.enum(deliveries, 'Choose ship or pickup')

/* The price of a part for a buyer. */

export const lineKinds = ['part', 'shipping', 'core', 'tax'] as const
export type LineKind = (typeof lineKinds)[number]
export const orderAmount = z.object({ kind: z.enum(lineKinds), amount: money })
export type OrderAmount = z.infer<typeof orderAmount>

export const quote = z.object({
  /** The yard names the shipping price first: then there are no lines and no total. */
  needsQuote: z.boolean(),
  lines: z.array(orderAmount),
  /** Without tax; null if a quote is needed. */
  total: money.nullable(),
  /** Ways in which this part can be had. */
  delivery: z.array(delivery),
  /** When the yard ships, or has it ready, at the latest. */
  shipsBy: time,
  /** Why this part cannot be sold to the state of the ZIP code. */
  restricted: z.string().optional(),
  /** Terms that hold for this state, a line each. */
  terms: z.array(z.string()),
  /** Whether sales tax is added on the payment page. */
  taxAdded: z.boolean(),
  /** Whether the yard looks for the part before the money is taken, or sells it at once. */
  mode: z.enum(['confirm', 'instant']),
})
export type Quote = z.infer<typeof quote>

/** Of several parts of one yard, with the price of each. */
export const quoteOfParts = quote.extend({
  parts: z.array(
    z.object({
      slug: z.string(),
      title: z.string(),
      quantity: z.number().int(),
      /** Of one piece. */
      price: money,
      core: money,
    }),
  ),
})

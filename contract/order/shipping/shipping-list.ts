import { z } from 'zod'
import { count, endpoints } from '#contract/endpoint.ts'
import { carriers } from '#contract/order/order-steps.ts'

/* Shipping many orders by one file: the yard's list of them with carriers and tracking numbers. */

/** More than a yard ships in a day; each row is a transaction with its email. */
export const MOST_SHIPPING_ROWS = 500
/** A workbook with that many rows takes a tenth of this. */
export const MOST_SHIPPING_BYTES = 2 * 1024 * 1024

export const shippingFields = ['number', 'carrier', 'tracking'] as const
export type ShippingField = (typeof shippingFields)[number]

const carrierName = z.enum(Object.keys(carriers) as (keyof typeof carriers)[])

const shippingRow = z.object({
  /** As in a spreadsheet: the header is row 1. */
  row: count,
  /** The order number, or what the file has in its place. */
  number: z.string(),
  /** If it is an order of this yard. */
  orderId: z.uuid().nullable(),
  part: z.string().nullable(),
  buyer: z.string().nullable(),
  /** If it was recognized. */
  carrier: carrierName.nullable(),
  tracking: z.string(),
  /**
   * `ship`: it will be marked as shipped; `shipped`: it just was; `same`: it was before, and nothing changes; `blank`: the row
   * is not filled in; `problem`: it needs a person.
   */
  outcome: z.enum(['ship', 'shipped', 'same', 'blank', 'problem']),
  /** What is wrong and what to do, or why nothing changes; null if there is nothing to say. */
  note: z.string().nullable(),
})
export type ShippingRow = z.output<typeof shippingRow>

const column = z.string().nullable()

const shippingReply = z.object({
  dryRun: z.boolean(),
  /** The names of the file's columns. */
  header: z.array(z.string()),
  /** Which of them was read as what; null for none. */
  columns: z.object({ number: column, carrier: column, tracking: column }),
  /** Of the file. */
  notes: z.array(z.string()),
  rows: z.array(shippingRow),
})
export type ShippingReply = z.output<typeof shippingReply>

export const shippingEndpoints = endpoints({
  readShippingList: {
    summary: 'The orders that are to be shipped as CSV, to be filled in and sent back',
    reply: 'binary',
    errors: ['SIGNED_OUT'],
  },
  shipByFile: {
    summary:
      'Mark orders as shipped by a file with their numbers, carriers and tracking numbers; with dryRun=1 it is only checked',
    query: z.object({ dryRun: z.string().max(5).optional() }),
    body: z.object({
      /** The names of the columns, if they were not recognized. */
      number: z.string().max(500).optional(),
      carrier: z.string().max(500).optional(),
      tracking: z.string().max(500).optional(),
    }),
    upload: 'file',
    reply: shippingReply,
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED', 'WRONG_TYPE', 'TOO_LARGE', 'BUSY', 'STORAGE_FULL'],
  },
})

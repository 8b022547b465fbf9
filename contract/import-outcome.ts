import { z } from 'zod'

const count = z.number().int()

/** What an import did, and what taking it back left. */
export const importOutcome = z.object({
  importId: z.uuid(),
  fileName: z.string(),
  appliedAt: z.string().nullable(),
  approvedBy: z.string().nullable(),
  total: count,
  created: count,
  updated: count,
  unchanged: count,
  ended: count,
  merged: count,
  rejected: count,
  /** Of the rejected those that its plan left out: nobody could tell what they are meant for, or they were edited since. */
  refused: count,
  /** The first of these, with their rows as a spreadsheet numbers them; `row` is null where only the record is known. */
  leftOut: z.array(z.object({ row: count.nullable(), record: count, reason: z.string() })),
  /** After an undo: how many were taken back, and those that were changed since and therefore left. */
  undone: count,
  leftAsIs: count,
  left: z.array(z.object({ id: z.uuid(), partslug: z.string(), title: z.string(), reason: z.string() })),
})

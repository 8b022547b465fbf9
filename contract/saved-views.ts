import { z } from 'zod'
import { byId, endpoints, okReply } from '#contract/endpoint.ts'
import { requiredLine } from '#contract/text/text-fields.ts'

/* Views of a data grid that a person saved under a name. */

export const savedGrids = ['bulk-edit', 'staging', 'import-rows'] as const
export type SavedGrid = (typeof savedGrids)[number]

// More columns than any file has.
const MAX_COLUMNS = 500
const column = z.string().max(1_000)

/** Columns that the grid does not have, and filters it does not know, are ignored when the view is applied. */
const viewSettings = z.object({
  /** Hidden columns. */
  hidden: z.array(column).max(MAX_COLUMNS),
  order: z.object({ column, descending: z.boolean() }).nullable(),
  rows: z.enum(['all', 'wrong', 'changed']),
  /** The filters of the list that the grid shows. */
  filters: z.record(z.string().max(40), z.string().max(200)),
})
export type ViewSettings = z.infer<typeof viewSettings>

const savedView = z.object({ id: z.uuid(), name: z.string(), settings: viewSettings })
export type SavedView = z.infer<typeof savedView>

const grid = z.enum(savedGrids, `Choose one of ${savedGrids.join(', ')}`)

export const savedViewEndpoints = endpoints({
  listViews: {
    summary: 'The views a person saved for a grid, by name',
    query: z.object({ grid }),
    reply: z.object({ items: z.array(savedView) }),
    errors: ['SIGNED_OUT'],
  },
  saveView: {
    summary: 'Save a view of a grid; one with the same name is replaced',
    body: z.object({ grid, name: requiredLine('Name', 60), settings: viewSettings }),
    reply: savedView,
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED'],
  },
  deleteView: {
    summary: 'Delete a saved view',
    params: byId,
    reply: okReply,
    errors: ['SIGNED_OUT', 'NOT_FOUND'],
  },
})

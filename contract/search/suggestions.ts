import { z } from 'zod'
import { count, endpoints } from '#contract/endpoint.ts'

/* Suggestions while a buyer types in the search box. */

const suggestion = z.object({
  /** `words` is a vehicle with a part: "Ford F-150 Alternator". */
  kind: z.enum(['part', 'vehicle', 'number', 'seller', 'words']),
  label: z.string(),
  /** The target page. */
  url: z.string(),
  /** Number of parts it leads to. */
  count: count.optional(),
})
export type Suggestion = z.infer<typeof suggestion>

export const suggestionEndpoints = endpoints({
  readSuggestions: {
    summary:
      'Part types, vehicles, part numbers and sellers in stock that begin as typed, those with the most parts first; for a VIN, its car',
    query: z.object({
      q: z.string().max(200).default(''),
      /** Suggestions for the words typed so far. */
      whole: z.literal('1').optional(),
    }),
    reply: z.object({
      suggestions: z.array(suggestion),
      /** Whether the words name no vehicle, number or seller, so that a buyer's own vehicle can narrow them. */
      isOfAnyVehicle: z.boolean().optional(),
    }),
    errors: [],
  },
})

import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'

/* What the search box proposes while a buyer types. */

const suggestion = z.object({
  /** `words` is a part of a vehicle: "Ford F-150 Alternator". */
  kind: z.enum(['part', 'vehicle', 'number', 'seller', 'words']),
  label: z.string(),
  /** The page that it leads to. */
  url: z.string(),
})
export type Suggestion = z.infer<typeof suggestion>

export const suggestionEndpoints = endpoints({
  readSuggestions: {
    summary:
      'Part types, vehicles, part numbers and sellers that begin as typed, those with the most parts first',
    query: z.object({ q: z.string().max(200).default('') }),
    reply: z.object({ suggestions: z.array(suggestion) }),
    errors: [],
  },
})

import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'

/* Suggestions while a buyer types in the search box. */

const suggestion = z.object({
  /** `words` is a vehicle with a part: "Ford F-150 Alternator". */
  kind: z.enum(['part', 'vehicle', 'number', 'seller', 'words']),
  label: z.string(),
  /** The target page. */
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

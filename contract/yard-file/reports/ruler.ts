import { z } from 'zod'

/*
 * How a line without delimiters is cut: a printed report has its columns at fixed characters; a table that was pasted from
 * a PDF has lost them, so its cells are recognized by what each column contains.
 */

/** What the cells of a pasted table's column contain. */
const cellKinds = [
  'stock',
  'year',
  'make',
  'model',
  'part',
  'side',
  'grade',
  'miles',
  'number',
  'price',
  'quantity',
  'vin',
  'code',
  'date',
  'text',
] as const
export type CellKind = (typeof cellKinds)[number]

const MAX_COLUMNS = 200
const MAX_WIDTH = 4_000
export const MAX_MODELS = 1_000
const NAME_CHARACTERS = 200
const SENTENCE =
  'ruler must have names, and starts (the first character of each column, counted from 0) or kinds of the same number'

export const ruler = z
  .object(
    {
      /** The column names in the header line. */
      names: z.array(z.string().max(NAME_CHARACTERS)).min(2, SENTENCE).max(MAX_COLUMNS, SENTENCE),
      /** That line, if the line above it has the beginning of some names. */
      line: z.string().max(MAX_WIDTH).optional(),
      /** A report's columns: where each begins. */
      starts: z.array(z.number().int().min(0).max(MAX_WIDTH)).optional(),
      /** What each column contains, to cut a pasted table and to recognize other lines of a report. */
      kinds: z.array(z.enum(cellKinds, `ruler.kinds must be of ${cellKinds.join(', ')}`)),
      /** Models found in the list itself, in lower case, that no other rule separates from the following words. */
      models: z.array(z.string().max(60)).max(MAX_MODELS).optional(),
      /** Whether the columns end where the next begins, as lines under their names show. */
      isRuled: z.boolean().optional(),
    },
    SENTENCE,
  )
  .refine(
    ({ names, starts, kinds }) =>
      kinds.length === names.length && (starts === undefined || starts.length === names.length),
    SENTENCE,
  )
export type Ruler = z.output<typeof ruler>

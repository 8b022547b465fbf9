import { z } from 'zod'

/*
 * How a yard's file is read: which bytes are which letters, what stands between cells, where its columns are named. Pure
 * code of this folder serves the page that shows what was detected and the server that reads.
 */

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'macintosh'] as const
export type Encoding = (typeof encodings)[number]

export const quotes = ['"', "'", ''] as const
export type Quote = (typeof quotes)[number]

/** What separates cents from dollars: a point (1,299.00) or a comma (1.299,00). */
export const decimalMarks = ['point', 'comma'] as const
export type DecimalMark = (typeof decimalMarks)[number]

/**
 * `plain`: one part a row. `ebay`: eBay's listing files, where rows of fitment follow their part's row; they are read as
 * columns of it.
 */
const layouts = ['plain', 'ebay'] as const

/** As many rows may stand above the one that names the columns. */
export const MOST_ROWS_ABOVE = 100

/** "a, b or c". */
const either = (words: readonly string[]) => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

function whole(field: string, least: number, most: number) {
  const sentence = `${field} is a whole number from ${least} to ${most}`
  return z.number(sentence).int(sentence).min(least, sentence).max(most, sentence)
}

// Of one ASCII character each, so that a record can be cut without decoding what is in it.
const ONE_CHARACTER = 'delimiter is one character, such as , ; or a tab, and no letter, digit or quote'
const separator = z.string(ONE_CHARACTER).regex(/^[^A-Za-z0-9"'\r\n\0\u0080-\uffff]$/, ONE_CHARACTER)

const decimals = (column: string) => z.enum(decimalMarks, `decimals.${column} is ${either(decimalMarks)}`)

const fields = {
  encoding: z.enum(encodings, `encoding is ${either(encodings)}`),
  delimiter: separator,
  /** What stands around cells that hold a delimiter or a line break; '' where nothing does. */
  quote: z.enum(quotes, 'quote is ", \' or an empty text'),
  /** The row that names the columns, as a spreadsheet numbers it; 0: none does, and they are called “Column 1” and so on. */
  headerRow: whole('headerRow', 0, MOST_ROWS_ABOVE + 1),
  layout: z.enum(layouts, `layout is ${either(layouts)}`),
  /** Of the columns of money whose values tell; a point where nothing is said. */
  decimals: z.object(
    { partprice: decimals('partprice').optional(), partshipping: decimals('partshipping').optional() },
    'decimals is an object such as {"partprice": "comma"}',
  ),
  /** Of a workbook: the name of the sheet. */
  sheet: z.string('sheet is the name of a sheet').max(200, 'sheet has at most 200 characters').optional(),
  /**
   * How much higher the rows are numbered in the file than in what was sent: whoever cuts a file leaves out what stands above
   * its header. -1 where a header was put in front of a file that has none.
   */
  rowOffset: whole('rowOffset', -1, MOST_ROWS_ABOVE + 1),
}

export const reading = z.object(fields)
/** A file's reading, decided in all points. */
export type Reading = z.output<typeof reading>

/** What somebody says of a file; the rest is detected. */
export const saidReading = z
  .object(fields, 'The reading is a JSON object such as {"delimiter": ";", "headerRow": 2}')
  .partial()
export type SaidReading = z.output<typeof saidReading>

/** What cutting text into records and cells depends on. */
export type Dialect = Pick<Reading, 'delimiter' | 'quote'>

/** The dialect of what we write. */
export const standardDialect: Dialect = { delimiter: ',', quote: '"' }

/** Text fields of the multipart body of an upload; objects are JSON text. */
export const csvForm = z.object({
  mappingId: z.string().optional(),
  mapping: z.string().optional(),
  defaults: z.string().optional(),
  /** See `saidReading`; the first chunk detects what is missing, for all chunks. */
  reading: z.string().optional(),
  chunkIndex: z.string().optional(),
  chunkCount: z.string().optional(),
  idempotencyKey: z.string().optional(),
  staging: z.string().optional(),
  mode: z.string().optional(),
  dryRun: z.string().optional(),
  adminPreview: z.string().optional(),
})
export type CsvForm = z.infer<typeof csvForm>

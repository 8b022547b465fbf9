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

// Of one ASCII character each, so that a record can be cut without decoding what is in it.
const separator = z
  .string()
  .regex(/^[^A-Za-z0-9"'\r\n\0\u0080-\uffff]$/, 'The delimiter is one character, such as , ; or a tab')

export const reading = z.object({
  encoding: z.enum(encodings),
  delimiter: separator,
  /** What stands around cells that hold a delimiter or a line break; '' where nothing does. */
  quote: z.enum(quotes),
  /** The row that names the columns, as a spreadsheet numbers it; 0: none does, and they are called “Column 1” and so on. */
  headerRow: z
    .number()
    .int()
    .min(0)
    .max(MOST_ROWS_ABOVE + 1),
  layout: z.enum(layouts),
  /** Of the columns of money whose values tell; a point where nothing is said. */
  decimals: z.object({ partprice: z.enum(decimalMarks), partshipping: z.enum(decimalMarks) }).partial(),
  /** Of a workbook: the name of the sheet. */
  sheet: z.string().max(200).optional(),
  /**
   * How much higher the rows are numbered in the file than in what was sent: whoever cuts a file leaves out what stands above
   * its header. -1 where a header was put in front of a file that has none.
   */
  rowOffset: z
    .number()
    .int()
    .min(-1)
    .max(MOST_ROWS_ABOVE + 1),
})
/** A file's reading, decided in all points. */
export type Reading = z.output<typeof reading>

/** What somebody says of a file; the rest is detected. */
export const saidReading = reading.partial()
export type SaidReading = z.output<typeof saidReading>

/** What cutting text into records and cells depends on. */
export type Dialect = Pick<Reading, 'delimiter' | 'quote'>

/** The dialect of what we write. */
export const standardDialect: Dialect = { delimiter: ',', quote: '"' }

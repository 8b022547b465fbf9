import { z } from 'zod'
import { mileUnits } from '#contract/vehicle/mile-units.ts'
import { ruler } from './reports/ruler.ts'
import { shopNames } from './shops/shop-layouts.ts'

/*
 * How a yard's file is read: its encoding, delimiter, quotes and header row. This folder runs in the browser, which
 * shows what was detected, and on the server, which reads the file.
 */

export const encodings = ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252', 'macintosh'] as const
export type Encoding = (typeof encodings)[number]

export const quotes = ['"', "'", ''] as const
export type Quote = (typeof quotes)[number]

/** What separates cents from dollars: a point (1,299.00) or a comma (1.299,00). */
export const decimalMarks = ['point', 'comma'] as const
export type DecimalMark = (typeof decimalMarks)[number]

/**
 * `plain`: one part per row. `ebay`: eBay's files, whose fitment rows follow their part's row and become its columns.
 * `shopify`: product exports, whose rows of further pictures and variants follow their product's row. `donor lines`: a line
 * names a car, and its parts follow. `cars once`: only the first row of a car names it. `item paths`: items such as
 * "Chevrolet:Silverado 1500:Q1001". The others are exports of shops.
 */
const layouts = [
  ...(['plain', 'ebay', 'shopify'] as const),
  ...shopNames,
  ...(['item paths', 'dated item paths', 'donor lines', 'cars once'] as const),
] as const

/** Maximum rows above the header. */
export const MAX_ROWS_ABOVE = 100

/** "a, b or c". */
const either = (words: readonly string[]) => `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

function whole(field: string, least: number, most: number) {
  const sentence = `${field} must be a whole number from ${least} to ${most}`
  return z.number(sentence).int(sentence).min(least, sentence).max(most, sentence)
}

/** For lists whose amounts have commas of their own: K-1, Door, 1,299.00 */
export const COMMA_AND_SPACE = ', '

// One ASCII character, so that a record can be cut without decoding it; and the one pair that people type.
const ONE_CHARACTER =
  'delimiter must be one character, such as , ; or a tab, or a comma with a space, and no letter, digit or quote'
const separator = z.string(ONE_CHARACTER).regex(/^(?:[^A-Za-z0-9"'\r\n\0\u0080-\uffff]|, )$/, ONE_CHARACTER)

const decimals = (column: string) =>
  z.enum(decimalMarks, `decimals.${column} must be ${either(decimalMarks)}`)

const sheetName = (field: string) =>
  z.string(`${field} must be the name of a sheet`).max(200, `${field} can have at most 200 characters`)

const fields = {
  encoding: z.enum(encodings, `encoding must be ${either(encodings)}`),
  delimiter: separator,
  /** The character around cells that contain a delimiter or a line break; '' for none. */
  quote: z.enum(quotes, 'quote must be ", \' or an empty text'),
  /** How the lines of a printed report or a pasted table are cut, instead of at a delimiter. */
  ruler: ruler.optional(),
  /** Spreadsheet number of the header row; 0 if there is none, and columns are named “Column 1” and so on. */
  headerRow: whole('headerRow', 0, MAX_ROWS_ABOVE + 1),
  /** 2 if the row above it names columns too, such as groups of them; default 1. */
  headerRows: whole('headerRows', 1, 2).optional(),
  layout: z.enum(layouts, `layout must be ${either(layouts)}`),
  /** The attributes of a shop's products that become columns, such as Make and Year. */
  attributes: z
    .array(z.string().max(100), 'attributes must be a list of names')
    .max(40, 'attributes can have at most 40 names')
    .optional(),
  /** Money columns with a known decimal mark; default point. */
  decimals: z.object(
    { partprice: decimals('partprice').optional(), partshipping: decimals('partshipping').optional() },
    'decimals must be an object such as {"partprice": "comma"}',
  ),
  /** The unit of the column of miles; by default its name and its first values decide. */
  miles: z.enum(mileUnits, `miles must be ${either(mileUnits)}`).optional(),
  /** `words` if the column of grades has words: then “Regular” is one, and not a shop's name for a product without variants. */
  grades: z.enum(['words'], 'grades must be words').optional(),
  /** Codes of the column of sides that are a corner there, as FR is beside FL, and not only the front. */
  corners: z
    .array(z.enum(['fr', 'rr']), 'corners must be a list of fr and rr')
    .max(2)
    .optional(),
  /** The column that says each row's currency; by default its name or its first values decide. */
  currency: z
    .string('currency must be the name of a column')
    .max(500, 'currency can have at most 500 characters')
    .optional(),
  /** The currency of the price's bare amounts, where others of its column name one: “90,50” beside “114,00 €”. */
  amounts: z
    .string('amounts must be the code of a currency')
    .regex(/^[A-Z]{3}$/, 'amounts must be the code of a currency')
    .optional(),
  /** The sheet of a workbook; the first of them if several are read. */
  sheet: sheetName('sheet').optional(),
  /** Sheets of the same columns that are read one below the other, such as one for each make. */
  sheets: z
    .array(sheetName('sheets'), 'sheets must be a list of names of sheets')
    .min(2, 'sheets must name at least two sheets')
    .max(1000, 'sheets can name at most 1,000 sheets')
    .optional(),
  /**
   * Added to the row numbers of what was sent, because a chunked upload omits the rows above the header. -1 if a header was
   * added to a file without one.
   */
  rowOffset: whole('rowOffset', -1, MAX_ROWS_ABOVE + 1),
}

export const reading = z.object(fields)
/** How a file is read, with every setting decided. */
export type Reading = z.output<typeof reading>

/** The settings a user chose; the rest is detected. */
export const readingOverride = z
  .object(fields, 'The reading must be a JSON object such as {"delimiter": ";", "headerRow": 2}')
  .partial()
export type ReadingOverride = z.output<typeof readingOverride>

/** A reading that a person chose: `header` is what the file's columns are called without it. */
export const chosenReading = z.object({
  header: z.array(z.string().max(500)).min(1).max(1_000),
  reading: readingOverride,
})
export type ChosenReading = z.output<typeof chosenReading>

/** What is needed to cut text into records and cells. */
export type Dialect = Pick<Reading, 'delimiter' | 'quote' | 'ruler'>

/** For a text whose lines are cut by a ruler; neither is detected. */
export const ruledDialect: Dialect = { delimiter: ' ', quote: '' }

/** The dialect of the files we write. */
export const standardDialect: Dialect = { delimiter: ',', quote: '"' }

/** Text fields of the multipart body of an upload; objects are JSON text. */
export const csvForm = z.object({
  mappingId: z.string().optional(),
  mapping: z.string().optional(),
  defaults: z.string().optional(),
  /** See `readingOverride`; the first chunk detects what is missing, for all chunks. */
  reading: z.string().optional(),
  chunkIndex: z.string().optional(),
  chunkCount: z.string().optional(),
  idempotencyKey: z.string().optional(),
  staging: z.string().optional(),
  mode: z.string().optional(),
  /** Answers to questions about columns: {id: answer} (`column-questions/questions.ts`). */
  answers: z.string().optional(),
  /** Fields of the mapping, as a list, whose columns were suggested and not confirmed by a person. */
  suggested: z.string().optional(),
  /** What a person chose of the reading, and the header that is found without it: for later files that look like this one. */
  readAs: z.string().optional(),
  dryRun: z.string().optional(),
  adminPreview: z.string().optional(),
})
export type CsvForm = z.infer<typeof csvForm>

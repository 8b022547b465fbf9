import { z } from 'zod'
import { columnAssumption, columnQuestion } from '#contract/column-questions/questions.ts'
import { descriptionFindings } from '#contract/text/description.ts'
import { reading } from '#contract/yard-file/reading.ts'
import { count, okReply } from './endpoint.ts'
import { lookupKinds } from './lookups.ts'

/* What a check of a yard's file reports before it is imported. */

/** What is wrong with one value of a file. */
export const rowIssue = z.object({
  /** The spreadsheet's number: the header is row 1. */
  row: count,
  /** The file's header, or the target field if no column is mapped; '' if the whole row is wrong. */
  column: z.string(),
  code: z.string(),
  /** The value, cut to 100 characters. */
  value: z.string(),
  message: z.string(),
})

export const checkedRow = z.object({
  /** Counts data rows from 1 within what was sent. */
  index: count,
  ok: z.boolean(),
  errors: z.array(z.string()),
  issues: z.array(rowIssue),
})

/** What an import would do to the seller's current listings. */
const expectedChanges = z.object({
  create: count,
  update: count,
  unchanged: count,
  /** Rows equal to an earlier one in every mapped field; they add to its quantity. */
  merged: count,
  /** Rows that cannot be matched to one part; `warnings` name them. Older stored replies have none. */
  refused: count.default(0),
})

/** Which rows are shown as examples: the highest and lowest price, the most frequent category, one with a correction, any. */
const exampleReasons = ['dearest', 'cheapest', 'common', 'corrected', 'drawn'] as const

/** How often such a match is correct, from 0 to 1. */
const certainty = z.number()

/** A name that only the seller can explain; its rows wait. The answer also applies to all later files of the yard. */
export const importQuestion = z.object({
  kind: z.enum(lookupKinds),
  /** The name in the file; '' for rows without a category. */
  typed: z.string(),
  /**
   * For a category, the type of part, because one answer would not fit all parts under “Glass”; for a model, its
   * manufacturer.
   */
  about: z.string(),
  /** Only for a model. */
  manufacturerId: z.uuid().nullable(),
  /** Rows that wait for the answer. */
  rows: count,
  /** The first of these rows. */
  example: z.string(),
  /** Likely meanings, best first; any other name can be chosen, too. */
  choices: z.array(z.object({ id: z.uuid(), name: z.string(), certainty })),
  /** Whether the seller may add it as a new name. */
  mayBeNew: z.boolean(),
})

/** The same in a dry run's reply, where it comes with questions about columns. */
const nameQuestion = importQuestion.extend({
  /** `${kind}:${about}:${typed}` */
  id: z.string(),
  /** The file's header, or '' if the name is split from a column or no column is mapped. */
  column: z.string(),
  values: columnQuestion.shape.values,
})

/** A listing as it would be, with the column that each value came from. */
const exampleListing = z.object({
  why: z.enum(exampleReasons),
  /** The spreadsheet's number. */
  row: count,
  title: z.string(),
  price: z.number().nullable(),
  side: z.string(),
  miles: count.nullable(),
  grade: z.string(),
  category: z.string(),
  /** Such as “Tulsa, OK”. */
  place: z.string(),
  partnum: z.string(),
  /** The header by the name of a value above; absent if it came from no column. */
  columns: z.record(z.string(), z.string()),
})
export type ExampleListing = z.infer<typeof exampleListing>

/** Fields that buyers look for and neither the file nor a default has. */
export const wantedDefaults = ['partcity', 'dealerphone', 'dealername'] as const
export type WantedDefault = (typeof wantedDefaults)[number]

/** A name that an import would create; `name` of a model includes its manufacturer. */
export const newName = z.object({
  kind: z.enum(['manufacturer', 'model']),
  name: z.string(),
  rows: count,
  example: z.string(),
})

/** What happens if the file is imported now. */
export const dryRunPlan = z.object({
  creates: count,
  updates: count,
  /** Live parts that end: those missing from a full inventory file, and those that a row says are not for sale. */
  ends: count,
  /** The seller's live parts from files that this file does not name, in both modes. Older stored replies lack it. */
  missing: count.optional(),
  /** Rows that wait for the seller's answer or cannot be distinguished. */
  held: count,
  /** Manufacturers and models that are not in the catalog, most rows first. */
  newNames: z.array(newName),
})

/**
 * When new parts go live: all of them now, the first ones now and the rest later, after the seller's confirmation, or
 * after an administrator's review.
 */
export const expectedGoLive = z.object({
  how: z.enum(['now', 'first-parts', 'confirm', 'review']),
  /** New parts that go live at once, and those that wait. */
  atOnce: count,
  later: count,
  waitMinutes: count,
})

export const fileReply = okReply.extend({
  /** About the file as a whole: detected settings, duplicate column names, repeated headers. No row is rejected for them. */
  warnings: z.array(z.string()),
  /** How the file was read, chosen and detected settings together. Absent if no file was sent. */
  reading: reading.optional(),
})

const descriptionNote = z.object({
  finding: z.enum(descriptionFindings),
  rows: count,
  /** The first of these rows, by spreadsheet row number. */
  first: z.array(count),
  message: z.string(),
})

const fieldCount = z.object({ field: z.string(), rows: count })

export const dryRunReply = fileReply.extend({
  preview: z.object({
    total: count,
    errors: count,
    /** The first 1,000 failing rows. */
    rows: z.array(checkedRow),
    /** Fields that valid rows leave blank, so that the import's default applies, with the number of rows. */
    defaults: z.array(fieldCount).optional(),
    /** Fields that valid rows leave blank and that another field implies: the make of a model that only one make has. */
    filled: z.array(fieldCount).optional(),
    /** What the seller should know about the descriptions of valid rows. */
    descriptions: z.array(descriptionNote).optional(),
    /** In the reply to the last or only chunk: what the whole file would do, as in its plan. */
    whole: expectedChanges.optional(),
    /** In the same reply: what happens to the seller's listings, and which rows wait for the seller first. */
    plan: dryRunPlan.optional(),
    /** Questions about names, for which rows wait, and about columns, for which the whole run waits. */
    questions: z.array(z.union([nameQuestion, columnQuestion])).optional(),
    /** Names whose parts are left out because the seller answered so; they can be answered otherwise. */
    leftOut: z.array(nameQuestion).optional(),
    /** What was read as answered for an earlier file of this shape. */
    remembered: z.array(columnAssumption).optional(),
    /** Up to five finished listings of the whole file. */
    examples: z.array(exampleListing).optional(),
    /** Fields to ask for once, since neither the file nor a default has them. */
    wants: z.array(z.enum(wantedDefaults)).optional(),
    goesLive: expectedGoLive.optional(),
    /** In the same reply: rows whose listing id is empty and that equal a part listed by hand. They wait for the seller. */
    repeats: count.optional(),
  }),
})

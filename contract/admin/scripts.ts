import { z } from 'zod'
import { adminErrors, byId, count, endpoints } from '#contract/endpoint.ts'
import { stagingRoots } from './staging.ts'

/*
 * The scripts that administrators can run, and how their flags become arguments. The console builds its controls from
 * this table, the server validates requests with it, and a script parses its arguments with it.
 */

export type FlagDefinition = { label: string; help?: string } & (
  | { kind: 'boolean' }
  | { kind: 'number'; least: number; most?: number }
  | {
      kind: 'select'
      options: readonly string[]
      /** If unset, the configured language model is used. */
      usual?: 'model'
    }
  | { kind: 'text' }
)

/** `live`: reads live data. `staging`: needs a staged file. `either`: reads the staged file if one is loaded. */
type ScriptSource = 'live' | 'staging' | 'either'

export type ScriptDefinition = {
  /** The name in the picker; the spec gives some scripts a different name than `scriptId`. */
  name: string
  scriptId: string
  queue: string
  source: ScriptSource
  /** A dry run of a script that writes texts can be reviewed. */
  writes?: 'texts'
  summary: string
  /** Paragraphs shown by Show Instructions. */
  instructions: readonly string[]
  flags: Readonly<Record<string, FlagDefinition>>
}

const test = { kind: 'boolean', label: 'Test', help: 'First 3 records only' } as const
const dryRun = { kind: 'boolean', label: 'Dry run', help: 'Print the changes without saving them' } as const

/** Selects records in the script's own order. */
const range = {
  start: { kind: 'number', label: 'Start', least: 0, help: 'First record, counting from 0' },
  end: { kind: 'number', label: 'End', least: 0, help: 'Stop before this record' },
  limit: { kind: 'number', label: 'Limit', least: 1, help: 'Maximum records' },
} as const

const modelCalls = (byDefault: number) =>
  ({
    kind: 'number',
    label: 'Concurrent',
    least: 1,
    help: `Language model calls at a time (default ${byDefault})`,
  }) as const

const REVIEW =
  'Dry run saves nothing and shows old and new side by side: accept what you want, and only that is written.'
const TEXT_FLAGS =
  'Test processes the first 3 records. Dry run saves nothing and shows old and new side by side: accept the texts that you want, and only those are written. Start counts from 0, and End is exclusive; the log numbers rows from 1. If OPENAI_API_KEY is set, the language model writes, with up to Concurrent calls at a time; otherwise the built-in template is used. If the model fails five times in a row, the run asks whether the template should write the rest.'

/** In the spec's order, then the self-check. */
const definitions = [
  {
    name: 'product-page-category',
    scriptId: 'product-page-category',
    queue: 'preprocess',
    source: 'live',
    writes: 'texts',
    summary: 'Builds each category’s landing page from its live listings.',
    instructions: [
      'Writes the title, meta description, and intro from the most common makes and models. The page adds the current count and prices when it is read. Processes the confirmed categories with live listings by name. Pages whose facts have not changed are skipped. A page’s address follows its category’s name; the old address redirects to the new one.',
      'Optimize uses the language model if a key is set, and rewrites pages that were written without it. Its text is checked against the facts; if it claims more, the built-in template is used instead.',
      `Category limits the run to one category. Verbose prints every page in full. ${REVIEW}`,
    ],
    flags: {
      test,
      dryRun,
      optimize: { kind: 'boolean', label: 'Optimize', help: 'Write with the language model' },
      verbose: { kind: 'boolean', label: 'Verbose', help: 'Print every page' },
      category: { kind: 'text', label: 'Category', help: 'Only this category' },
      ...range,
    },
  },
  {
    name: 'name-manu-model-opt',
    scriptId: 'naming-optimizer',
    queue: 'namingOptimizer',
    source: 'live',
    summary: 'Standardizes the names of categories, manufacturers, and models, and merges duplicates.',
    instructions: [
      'Run this before the scripts that write texts and pages, because they use the current names. Existing texts keep the old names until they are rewritten. To resolve the names in a staged file, use Resolve Taxonomy.',
      'Fixes case and spacing, recognizes other names for manufacturers (Chevy, VW), and merges spelling variants into the confirmed name. The old name becomes an alias, and a separate job updates the listings. Names from the built-in catalog never change.',
      'Uncertain names are printed for a person to decide and left unchanged. Processes manufacturers, then models, then categories, each by name. Names that were already reviewed are skipped unless they changed; Force reoptimize includes them.',
      `Target limits the run to one kind of name. Category, Manufacturer, and Model limit it to one name; Manufacturer also limits the models. Batch mode changes a page of names in one transaction; otherwise each name has its own, with up to Concurrent at a time. Dry run prints the changes as a diff without saving them.`,
    ],
    flags: {
      test,
      dryRun,
      forceReoptimize: {
        kind: 'boolean',
        label: 'Force reoptimize',
        help: 'Include names already reviewed',
      },
      batchMode: { kind: 'boolean', label: 'Batch mode', help: 'One transaction per page of names' },
      concurrent: { kind: 'number', label: 'Concurrent', least: 1, help: 'Changes at a time' },
      target: { kind: 'select', label: 'Target', options: ['all', 'category', 'manufacturer', 'model'] },
      category: { kind: 'text', label: 'Category', help: 'Only this category' },
      manufacturer: { kind: 'text', label: 'Manufacturer', help: 'Only this one and its models' },
      model: { kind: 'text', label: 'Model', help: 'Only models with this name' },
      ...range,
    },
  },
  {
    name: 'h1-optimizer',
    scriptId: 'h1-optimizer',
    queue: 'h1Optimizer',
    source: 'staging',
    writes: 'texts',
    summary: 'Writes a heading (h1) for the listing page of each record in a staged file.',
    instructions: [
      'First resolve the file’s names (Resolve Taxonomy) and decide the uncertain ones: headings use the names that are in the file at that time. Existing headings keep the old names until Force reoptimize rewrites them.',
      'Load a staged file first. Records that have a heading keep it unless Force reoptimize is on. A heading consists of years, make, model, trim, and the part name exactly as the seller typed it. If the language model drops a word of the name or adds a fact, its heading is refused with the reason and the record keeps what it had. The run saves one new version of the file; promote it to show the headings.',
      TEXT_FLAGS,
    ],
    flags: {
      test,
      dryRun,
      forceReoptimize: {
        kind: 'boolean',
        label: 'Force reoptimize',
        help: 'Include records that have a heading',
      },
      concurrent: modelCalls(5),
      ...range,
    },
  },
  {
    name: 'description-optimizer',
    scriptId: 'description-optimizer',
    queue: 'descriptionOptimizer',
    source: 'either',
    writes: 'texts',
    summary:
      'Adds facts from the record to missing or very short descriptions, in a staged file or in live listings.',
    instructions: [
      'Resolve the names first: in a staged file with Resolve Taxonomy, in live listings with name-manu-model-opt. Descriptions use the names at that time; existing ones keep the old names until Force override rewrites them.',
      'If a staged file is loaded, the run saves one new version of it. Otherwise it changes the live listings of all sellers, oldest first. Those changes appear in the history, where you can undo them like a bulk save.',
      'The seller’s text is kept word for word. Lines for part, vehicle, part number, miles, and damage are added below it if the record has them: to descriptions shorter than 50 characters, or to all with Force override. A description that contradicts the record is refused, and the log names the conflicting word. The language model writes only where there is no description; length, profanity, and invented facts are checked unless Skip validation is on. The first refused record ends the job, and the texts before it are kept; with Continue on error the run continues and ends as completed with errors.',
      `Verbose prints each new text. ${TEXT_FLAGS}`,
    ],
    flags: {
      test,
      dryRun,
      continueOnError: {
        kind: 'boolean',
        label: 'Continue on error',
        help: 'Continue after a refused record',
      },
      skipValidation: { kind: 'boolean', label: 'Skip validation', help: 'Do not check new texts' },
      forceOverride: { kind: 'boolean', label: 'Force override', help: 'Include existing descriptions' },
      verbose: { kind: 'boolean', label: 'Verbose', help: 'Print each new text' },
      model: {
        kind: 'select',
        label: 'Model',
        options: ['gpt-4o', 'gpt-3.5-turbo'],
        usual: 'model',
        help: 'The default is the setting OPENAI_MODEL',
      },
      concurrent: modelCalls(4),
      ...range,
    },
  },
  {
    name: 'internal-linking',
    scriptId: 'internal-linking',
    queue: 'internalLinking',
    source: 'live',
    writes: 'texts',
    summary:
      'Links listings with the category, manufacturer, and model pages, and those pages with each other.',
    instructions: [
      'First creates missing pages for manufacturers, models, and categories that have live listings. Then chooses the links in the Related block of each page and listing, and their text. Processes categories, manufacturers, and models by name, then the live listings.',
      'Listings whose links all work are skipped, and links that still apply keep their text; Force reprocess rebuilds all of them.',
      `Type limits the run to pages of that kind, without listings. Target limits it to one page (by name or address) or one listing (by address). OpenAI optimize has the language model write the link text on pages if a key is set; listings always use the template. ${REVIEW} The review has up to 20,000 pages and listings.`,
    ],
    flags: {
      type: { kind: 'select', label: 'Type', options: ['category', 'manufacturer', 'model'] },
      target: { kind: 'text', label: 'Target', help: 'Only this page or listing' },
      test,
      dryRun,
      forceReprocess: { kind: 'boolean', label: 'Force reprocess', help: 'Rebuild existing links' },
      openaiOptimize: { kind: 'boolean', label: 'OpenAI optimize', help: 'Link text by the language model' },
      ...range,
    },
  },
  {
    name: 'self-check',
    scriptId: 'self-check',
    queue: 'preprocess',
    source: 'live',
    summary: 'Exercises everything a script can do, to show that the system works.',
    instructions: [
      'Times the database and the file store, prints lines to both streams, moves the progress bar, attaches a report, and ends. It changes no listing.',
      'Test prints fewer lines. Dry run skips the report. Ask waits for an answer, Fail ends with an error, and Seconds sets how long it takes. Any input you send is printed.',
    ],
    flags: {
      test,
      dryRun,
      ask: { kind: 'boolean', label: 'Ask', help: 'Wait for an answer' },
      fail: { kind: 'boolean', label: 'Fail', help: 'End with an error' },
      lines: { kind: 'number', label: 'Lines', least: 0, most: 1_000_000, help: 'Number of lines to print' },
      seconds: { kind: 'number', label: 'Seconds', least: 0, most: 3_600, help: 'How long it takes' },
    },
  },
] as const satisfies readonly ScriptDefinition[]

export const scripts: readonly ScriptDefinition[] = definitions

type Defined = (typeof definitions)[number]
export type ScriptId = Defined['scriptId']

type ValueOf<Flag> = Flag extends { kind: 'boolean' }
  ? boolean
  : Flag extends { kind: 'number' }
    ? number | undefined
    : Flag extends { options: readonly (infer Option)[] }
      ? Option | undefined
      : string | undefined

type ValuesOf<Flags> = { readonly [Name in keyof Flags]: ValueOf<Flags[Name]> }

/** A script's parsed flags; missing ones are false or undefined. */
export type FlagsOf<Id extends ScriptId> = ValuesOf<Extract<Defined, { scriptId: Id }>['flags']>

export function findScript(scriptId: string): ScriptDefinition | undefined {
  return scripts.find((script) => script.scriptId === scriptId)
}

type FlagValue = boolean | number | string
export type Flags = Readonly<Record<string, FlagValue>>

/** The console's flags after choosing a script. */
export const defaultFlags: Flags = { test: true, dryRun: true }

/** Parses a script's flags, without absent, empty, and null ones. The dataset tag is part of the payload only. */
export function flagsSchema(script: ScriptDefinition): z.ZodType<Flags> {
  const shape = Object.fromEntries(
    Object.entries({ ...script.flags, datasetTag: DATASET_TAG }).map(([name, flag]) => [
      name,
      z
        .preprocess((value) => (isNotGiven(value) ? undefined : value), flagSchema(flag).optional())
        .optional(),
    ]),
  )
  const known = Object.keys(script.flags).join(', ')
  return z
    .strictObject(shape, {
      error: ({ code, keys }: { code?: string; keys?: string[] }) =>
        code === 'unrecognized_keys'
          ? `${script.name} has no flag ${keys?.join(', ')}; it has ${known}`
          : undefined,
    })
    .transform(
      (flags): Flags =>
        Object.fromEntries(
          Object.entries(flags).filter((entry): entry is [string, FlagValue] => entry[1] !== undefined),
        ),
    )
    .refine(isRange, { path: ['end'], error: 'End must be greater than Start' })
}

const isNotGiven = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '')

const isRange = ({ start = 0, end }: Flags) =>
  typeof start !== 'number' || typeof end !== 'number' || end > start

const MAX_TEXT_LENGTH = 200
const DATASET_TAG: FlagDefinition = { kind: 'text', label: 'Dataset tag' }

function flagSchema(flag: FlagDefinition): z.ZodType<FlagValue> {
  const { label } = flag
  switch (flag.kind) {
    case 'boolean':
      return z.boolean(`${label} must be true or false`)
    case 'number':
      return numberSchema(label, flag.least, flag.most ?? MAX_NUMBER)
    case 'select':
      return z.enum(flag.options, `${label} must be one of: ${flag.options.join(', ')}`)
    case 'text':
      return z
        .string(`${label} must be text`)
        .trim()
        .max(MAX_TEXT_LENGTH, `${label} can have at most ${MAX_TEXT_LENGTH} characters`)
        .refine(
          (text) => text.isWellFormed() && !text.includes('\0'),
          `${label} contains unreadable characters`,
        )
  }
}

// More records than anyone has; a larger number is a typo.
const MAX_NUMBER = 1_000_000_000

/** A number, or its plain digits from the command line: not "1e9", "0x10", or true. */
function numberSchema(label: string, least: number, most: number): z.ZodType<number> {
  const whole = `${label} must be a whole number`
  return z
    .union(
      [
        z.number(),
        z
          .string()
          .regex(/^\s*-?\d{1,15}\s*$/)
          .transform(Number),
      ],
      whole,
    )
    .pipe(
      z
        .int(whole)
        .min(least, `${label} must be at least ${least}`)
        .max(most, `${label} can be at most ${most.toLocaleString('en-US')}`),
    )
}

/** Command-line arguments by the spec's rules. A value follows `=`, so that one starting with a dash is not an option. */
export function flagArguments(flags: Readonly<Record<string, unknown>>): string[] {
  return Object.entries(flags).flatMap(([name, value]) =>
    name === 'datasetTag' ? [] : [value].flat().flatMap((each) => argument(optionOf(name), each)),
  )
}

function argument(option: string, value: unknown): string[] {
  if (value === true) return [option]
  if (value === false || value === '' || value === null || value === undefined) return []
  return [`${option}=${String(value)}`]
}

/** `forceReoptimize` → `--force-reoptimize` */
export function optionOf(flag: string): string {
  return `--${flag.replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()}`
}

/** The payload of a script's job. `args` is for display: the server computes its own from the flags. */
export const scriptPayload = z.object({
  scriptId: z.string('Choose a script').max(100),
  flags: z.record(z.string(), z.unknown()).default({}),
  args: z.array(z.string()).optional(),
  stagingRoot: z.enum(stagingRoots).nullish(),
  source: z
    .object({
      root: z.enum(stagingRoots, 'The root must be ecomm, datatable or mapdata'),
      path: z.string().max(500),
    })
    .nullish(),
})
export type ScriptPayload = z.output<typeof scriptPayload>

/*
 * Texts that a dry run would write, side by side with the current ones; only accepted texts are written. Admins only.
 */

/**
 * `new`: there was no text. `added`: the old text is kept, with more below it. `reworded`: all old words are kept, with
 * changes around them. `drops`: words of the old text are missing. `refused`: nothing would be written.
 */
export const textChanges = ['new', 'added', 'reworded', 'drops', 'refused'] as const
export type TextChange = (typeof textChanges)[number]

export const textDecisions = ['accepted', 'rejected'] as const
export type TextDecision = (typeof textDecisions)[number]

const proposal = z.object({
  /** Its position in the run, counted from 1. */
  place: count,
  /** "Row 3" of a staged file, "Listing 3", or "Category page". */
  label: z.string(),
  /** The part's title, or the page's name. */
  title: z.string(),
  /** Only for a live listing. */
  partslug: z.string().nullable(),
  before: z.string(),
  /** Null if the record was refused. */
  after: z.string().nullable(),
  change: z.enum(textChanges),
  /** Words of the old text that are missing from the new one. */
  lost: z.array(z.string()),
  /** Why the record was refused. */
  why: z.string().nullable(),
  decision: z.enum(textDecisions).nullable(),
  /** `stale`: changed by someone since the dry run, so it was skipped. */
  outcome: z.enum(['written', 'stale']).nullable(),
})
export type TextProposal = z.infer<typeof proposal>

const review = z.object({
  jobId: z.uuid(),
  field: z.enum(['h1', 'partdescription', 'landing', 'links']),
  /** The staged file; null for live listings and landing pages. */
  source: z.object({ root: z.enum(stagingRoots), path: z.string(), version: count }).nullable(),
  changes: z.object({ new: count, added: count, reworded: count, drops: count, refused: count }),
  accepted: count,
  rejected: count,
  /** Texts neither decided nor refused. */
  open: count,
  /** Accepted texts that were written, and those whose part had changed meanwhile. */
  written: count,
  stale: count,
  /** Texts beyond the limit of a review; run the script on fewer records to see them. */
  leftOut: count,
})
export type TextReview = z.infer<typeof review>

/** Words in the part's title or in one of the two texts, and the kind of change. */
const filter = {
  q: z.string().max(200).optional(),
  change: z.enum(textChanges).optional(),
}

export const textReviewEndpoints = endpoints({
  readTextReview: {
    summary: 'Texts that a dry run would write, with the current ones, in the order of the run',
    params: byId,
    query: z.object({
      ...filter,
      decision: z.enum([...textDecisions, 'open']).optional(),
      /** The last place of the previous page. */
      after: z.coerce.number().int().min(0).default(0),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    reply: z.object({
      review,
      /** Number of proposals that match the filter. */
      total: count,
      items: z.array(proposal),
      next: count.nullable(),
    }),
    errors: [...adminErrors, 'NOT_FOUND'],
  },
  decideTexts: {
    summary:
      'Accept or reject texts of a dry run, some or all that match a filter; texts already written do not change',
    params: byId,
    body: z.object({
      /** Null resets the decision. */
      decision: z.enum(textDecisions, 'The decision must be accepted or rejected').nullable(),
      /** If unset, all that match the filter. */
      places: z.array(count.min(1)).max(1_000).optional(),
      ...filter,
    }),
    reply: z.object({ review, changed: count }),
    errors: [...adminErrors, 'NOT_FOUND', 'VALIDATION_FAILED'],
  },
  writeAcceptedTexts: {
    summary:
      'Write the accepted texts: a staged file as one new version, live listings as a bulk save of up to 2,000, landing pages and links 1,000 at a time. `left` more need another call',
    params: byId,
    reply: z.object({
      review,
      written: count,
      left: count,
      /** The staged file's new version. */
      version: count.nullable(),
    }),
    errors: [...adminErrors, 'NOT_FOUND', 'STALE', 'BUSY'],
  },
})

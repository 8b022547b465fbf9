import { z } from 'zod'
import { stagingRoots } from './staging.ts'

/*
 * The scripts an administrator can run, and how their flags become arguments. The console builds its picker and its
 * controls from this table, the server checks what it is sent against it, and the program of a script reads its
 * arguments by it: one description for all three.
 */

// Flags that most scripts have.
const test = { kind: 'boolean', label: 'Test', help: 'Only the first 3 records' } as const

const dryRun = {
  kind: 'boolean',
  label: 'Dry run',
  help: 'Write nothing, print what would be written',
} as const

/** Which records, counted from 0 in the script's own order. */
const range = {
  start: { kind: 'number', label: 'Start', least: 0, help: 'The first record; counted from 0' },
  end: { kind: 'number', label: 'End', least: 0, help: 'The first record that is left out' },
  limit: { kind: 'number', label: 'Limit', least: 1, help: 'At most so many records' },
} as const

const liveScripts = [
  {
    name: 'product-page-category',
    scriptId: 'product-page-category',
    queue: 'preprocess',
    source: 'live',
    summary: 'Builds the landing page of each category from its live listings.',
    instructions: [
      'Writes title, meta description and intro, counts parts, and finds the price range and the makes and models listed most. Records are the confirmed categories with live listings, by name. A page whose facts have not changed is not written again. The address of a page follows the name of its category, and the old one leads to the new one.',
      'Optimize has the language model write, where a key is set, and writes pages again that were written without it. What it writes is checked against the facts; a text that claims more is replaced by the built-in template.',
      'Category: the name of one category. Verbose prints every page with its words. Dry run prints what would be written as a diff, and writes nothing.',
    ],
    resumable: true,
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
    summary:
      'Brings the names of categories, manufacturers and models into one spelling and merges duplicates.',
    instructions: [
      'Run it before the scripts that write texts and pages: they use the names as they stand. What was written before keeps the old names until it is written again. Names in a staged file are resolved there, with Resolve Taxonomy.',
      'Corrects case and spacing, knows other words for a manufacturer (Chevy, VW), and merges names that are another spelling of a confirmed one. The old name stays as an alias, and listings follow in a job of their own. Names that came with the catalogue stay as they are.',
      'What it is not sure of is printed for a person to decide and left alone. Records are manufacturers, then models, then categories, each by name. A name that was looked at is not looked at again unless it changed; Force reoptimize looks at all.',
      'Target: one kind of name. Category, Manufacturer and Model: one name; Manufacturer also narrows the models. Batch mode changes all names of a page in one transaction, else each has its own, Concurrent of them at one time. Dry run prints the plan as a diff, and writes nothing.',
    ],
    resumable: true,
    flags: {
      test,
      dryRun,
      forceReoptimize: {
        kind: 'boolean',
        label: 'Force reoptimize',
        help: 'Also names that were looked at',
      },
      batchMode: { kind: 'boolean', label: 'Batch mode', help: 'A page of names in one transaction' },
      concurrent: { kind: 'number', label: 'Concurrent', least: 1, help: 'Changes at one time' },
      target: { kind: 'select', label: 'Target', options: ['all', 'category', 'manufacturer', 'model'] },
      category: { kind: 'text', label: 'Category', help: 'Only this category' },
      manufacturer: { kind: 'text', label: 'Manufacturer', help: 'Only this one, and its models' },
      model: { kind: 'text', label: 'Model', help: 'Only models of this name' },
      ...range,
    },
  },
] as const

const linkingScript = {
  name: 'internal-linking',
  scriptId: 'internal-linking',
  queue: 'internalLinking',
  source: 'live',
  summary: 'Links listings and the pages of categories, manufacturers and models with one another.',
  instructions: [
    'First makes pages of manufacturers, models and categories that have live listings and no page, then chooses for each page and each listing where its Related block leads, with the words of each link. Records are categories, manufacturers and models by name, then the live listings.',
    'A listing whose links all lead somewhere is left as it is, and a link that stands keeps its words; Force reprocess makes all anew.',
    'Type: only pages of that kind, and no listings. Target: the name or address of one page, or the address of one listing. OpenAI optimize has the language model word the links of pages, where a key is set; the template words those of listings. Dry run prints what would change as a diff, and writes nothing.',
  ],
  resumable: true,
  flags: {
    type: { kind: 'select', label: 'Type', options: ['category', 'manufacturer', 'model'] },
    target: { kind: 'text', label: 'Target', help: 'Only this page or listing' },
    test,
    dryRun,
    forceReprocess: { kind: 'boolean', label: 'Force reprocess', help: 'Also what has its links' },
    openaiOptimize: { kind: 'boolean', label: 'OpenAI optimize', help: 'Words by the language model' },
    ...range,
  },
} as const

const concurrent = (usual: number) =>
  ({
    kind: 'number',
    label: 'Concurrent',
    least: 1,
    help: `Calls to the language model at one time; ${usual} unless told`,
  }) as const

const textScripts = [
  {
    name: 'h1-optimizer',
    scriptId: 'h1-optimizer',
    queue: 'h1Optimizer',
    source: 'staging',
    summary: 'Writes a heading (h1) for each record of a staged file, for the page of its listing.',
    instructions: [
      'Resolve the names of the file first (Resolve Taxonomy), and decide those that are unsure: a heading is written with the names as the file has them then. One that was written before keeps the old names until Force reoptimize writes it again.',
      'Load a staged file first. Records that have a heading keep it unless Force reoptimize is on. A heading is years, make, model, trim and the part’s name as the seller typed it; no word of the name is changed. One of the language model that drops such a word or adds a fact is refused with the reason, and the record keeps what it had. At the end there is one new version of the file; promote it to show the headings.',
      'Test works on the first 3 records, Dry run prints each heading before and after and writes nothing. Start counts from 0, End is the first record that is left out; rows are told counted from 1. With OPENAI_API_KEY set the language model writes, Concurrent calls at one time; without it, the built-in template is used.',
    ],
    resumable: true,
    flags: {
      test,
      dryRun,
      forceReoptimize: {
        kind: 'boolean',
        label: 'Force reoptimize',
        help: 'Also where there is a heading',
      },
      concurrent: concurrent(5),
      ...range,
    },
  },
  {
    name: 'description-optimizer',
    scriptId: 'description-optimizer',
    queue: 'descriptionOptimizer',
    source: 'either',
    summary:
      'Adds what the record says to descriptions that are missing or very short: in a staged file, or in live listings.',
    instructions: [
      'Resolve the names first: of a staged file with Resolve Taxonomy, of live listings with name-manu-model-opt. A description is written with the names as they are then; one that was written before keeps the old names until Force override writes it again.',
      'With a staged file loaded it writes there, as one new version; without, in live listings of all sellers, the oldest first. What it did to live listings stands in the history and is undone there as a bulk save.',
      'The seller’s words stay to the letter. Below them come lines for part, vehicle, part number, miles and damage, where the record has them: in descriptions of less than 50 characters, or in all with Force override. A description whose own line contradicts the record is refused with the word. The language model only writes where there is no description; length, bad words and invented facts are checked, and Skip validation leaves that to you. The first record that is refused ends the job, and what was written before it stays; with Continue on error it goes on.',
      'Test works on the first 3 records, Dry run prints each text before and after and writes nothing, Verbose prints each text that is written. Start counts from 0, End is the first record that is left out; rows are told counted from 1. With OPENAI_API_KEY set the chosen model writes, Concurrent calls at one time; without it, the built-in template is used.',
    ],
    resumable: true,
    flags: {
      test,
      dryRun,
      continueOnError: {
        kind: 'boolean',
        label: 'Continue on error',
        help: 'Go on after a record that is refused',
      },
      skipValidation: {
        kind: 'boolean',
        label: 'Skip validation',
        help: 'Do not check what is written',
      },
      forceOverride: {
        kind: 'boolean',
        label: 'Force override',
        help: 'Also where there is a description',
      },
      verbose: { kind: 'boolean', label: 'Verbose', help: 'Print each text' },
      model: { kind: 'select', label: 'Model', options: ['gpt-4o', 'gpt-3.5-turbo'] },
      concurrent: concurrent(4),
      ...range,
    },
  },
] as const

export type FlagDefinition = { label: string; help?: string } & (
  | { kind: 'boolean' }
  | { kind: 'number'; least: number; most?: number }
  | { kind: 'select'; options: readonly string[] }
  | { kind: 'text' }
)

/** `live`: reads what is live. `staging`: needs a staged file. `either`: a staged file where one is loaded. */
export type ScriptSource = 'live' | 'staging' | 'either'

export type ScriptDefinition = {
  /** In the picker; differs from `scriptId` where the spec says so. */
  name: string
  scriptId: string
  queue: string
  source: ScriptSource
  /** What it does, in a sentence. */
  summary: string
  /** Shown by Show Instructions; one paragraph each. */
  instructions: readonly string[]
  /** May be started again after its worker was lost: it goes on from its checkpoint. */
  resumable: boolean
  flags: Readonly<Record<string, FlagDefinition>>
}

const selfCheck = {
  name: 'self-check',
  scriptId: 'self-check',
  queue: 'preprocess',
  source: 'live',
  summary: 'Goes through everything a script can do, so that an operator sees that the machinery works.',
  instructions: [
    'Times the database and the file store, prints lines to both streams, moves the progress bar, leaves a report and ends. It changes no listing.',
    'Test prints fewer lines; Dry run leaves no report. Ask makes it wait for an answer in between; Fail makes it end with an error at the end; Seconds stretches it. What is sent to it meanwhile is printed.',
  ],
  resumable: true,
  flags: {
    test,
    dryRun,
    ask: { kind: 'boolean', label: 'Ask', help: 'Wait for an answer' },
    fail: { kind: 'boolean', label: 'Fail', help: 'End with an error' },
    lines: { kind: 'number', label: 'Lines', least: 0, most: 1_000_000, help: 'How many lines to print' },
    seconds: { kind: 'number', label: 'Seconds', least: 0, most: 3_600, help: 'How long to take' },
  },
} as const

/** In the spec's order; what checks the machinery comes last. */
const definitions = [
  ...liveScripts,
  ...textScripts,
  linkingScript,
  selfCheck,
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

/** The flags of a script as its program gets them: what was not given is false or undefined. */
export type FlagsOf<Id extends ScriptId> = ValuesOf<Extract<Defined, { scriptId: Id }>['flags']>

export function findScript(scriptId: string): ScriptDefinition | undefined {
  return scripts.find((script) => script.scriptId === scriptId)
}

type FlagValue = boolean | number | string
export type Flags = Readonly<Record<string, FlagValue>>

/** What the console starts with when a script is chosen. */
export const defaultFlags: Flags = { test: true, dryRun: true }

/**
 * Checks flags of one script and answers those that are given: absent, empty and null ones are not, and the server then
 * takes false. The dataset tag belongs to the payload and becomes no argument.
 */
export function flagsSchema(script: ScriptDefinition): z.ZodType<Flags> {
  const known = { ...script.flags, datasetTag: DATASET_TAG }
  const shape = Object.fromEntries(
    Object.entries(known).map(([name, flag]) => [
      name,
      z
        .preprocess((value) => (isNotGiven(value) ? undefined : value), flagSchema(flag).optional())
        .optional(),
    ]),
  )
  const unknown = ({ code, keys }: { code?: string; keys?: string[] }) =>
    code === 'unrecognized_keys'
      ? `${script.name} has no flag ${keys?.join(', ')}; it has ${Object.keys(script.flags).join(', ')}`
      : undefined
  return z
    .strictObject(shape, { error: (issue) => unknown(issue) })
    .transform(
      (flags): Flags =>
        Object.fromEntries(
          Object.entries(flags).filter((entry): entry is [string, FlagValue] => entry[1] !== undefined),
        ),
    )
    .refine(isRange, {
      path: ['end'],
      error: 'End is the first record that is left out: it has to be above Start',
    })
}

const isNotGiven = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '')

const isRange = ({ start = 0, end }: Flags) =>
  typeof start !== 'number' || typeof end !== 'number' || end > start

const LONGEST_TEXT = 200
const DATASET_TAG: FlagDefinition = { kind: 'text', label: 'Dataset tag' }

function flagSchema(flag: FlagDefinition): z.ZodType<FlagValue> {
  const { label } = flag
  switch (flag.kind) {
    case 'boolean':
      return z.boolean(`${label} is either on or off`)
    case 'number':
      return numberSchema(label, flag.least, flag.most ?? MOST_NUMBER)
    case 'select':
      return z.enum(flag.options, `${label} is one of: ${flag.options.join(', ')}`)
    case 'text':
      return z
        .string(`${label} has to be text`)
        .trim()
        .max(LONGEST_TEXT, `${label} can have at most ${LONGEST_TEXT} characters`)
        .refine(
          (text) => text.isWellFormed() && !text.includes('\0'),
          `${label} holds signs that are no text`,
        )
  }
}

// More records than anybody has; a number beyond it is a slip of the hand.
const MOST_NUMBER = 1_000_000_000

/** A number, or its plain digits, as an argument has them. No "1e9", no "0x10", no true that counts as 1. */
function numberSchema(label: string, least: number, most: number): z.ZodType<number> {
  const whole = `${label} has to be a whole number`
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
        .min(least, `${label} has to be at least ${least}`)
        .max(most, `${label} can be at most ${most.toLocaleString('en-US')}`),
    )
}

/**
 * The arguments of flags, by the spec's rule: the dataset tag is left out, true gives a bare option, false, empty and
 * null give none, a list repeats the option, names become lowercase and dashed. A value stands behind `=`, so that one
 * which begins with a dash is no option of its own.
 */
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

/** What a job of a script is enqueued with. `args` is shown and never run: the server computes its own from the flags. */
export const scriptPayload = z.object({
  scriptId: z.string('Choose a script').max(100),
  flags: z.record(z.string(), z.unknown()).default({}),
  args: z.array(z.string()).optional(),
  stagingRoot: z.enum(stagingRoots).nullish(),
  source: z
    .object({
      root: z.enum(stagingRoots, 'The root is ecomm, datatable or mapdata'),
      path: z.string().max(500),
    })
    .nullish(),
})
export type ScriptPayload = z.output<typeof scriptPayload>

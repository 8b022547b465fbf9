import { z } from 'zod'
import { linkingScript, liveScripts } from './live-scripts.ts'
import { dryRun, test } from './script-flags.ts'
import { stagingRoots } from './staging.ts'
import { textScripts } from './text-scripts.ts'

/*
 * The scripts an administrator can run, and how their flags become arguments. The console builds its picker and its
 * controls from this table, the server checks what it is sent against it, and the program of a script reads its
 * arguments by it: one description for all three.
 */

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

export type FlagValue = boolean | number | string
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

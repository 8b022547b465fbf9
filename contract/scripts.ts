import { z } from 'zod'
import { stagingRoots } from './staging.ts'

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

const test: FlagDefinition = { kind: 'boolean', label: 'Test', help: 'Only the first 3 records' }
const dryRun: FlagDefinition = {
  kind: 'boolean',
  label: 'Dry run',
  help: 'Write nothing, print what would be done',
}

export const scripts: readonly ScriptDefinition[] = [
  {
    name: 'self-check',
    scriptId: 'self-check',
    queue: 'preprocess',
    source: 'live',
    summary: 'Goes through everything a script can do, so that an operator sees that the machinery works.',
    instructions: [
      'Prints lines to both streams, moves the progress bar, leaves an artifact and ends. It changes no listing.',
      'Ask makes it wait for an answer in between; Fail makes it end with an error at the end; Seconds stretches it.',
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
  },
]

export function findScript(scriptId: string): ScriptDefinition | undefined {
  return scripts.find((script) => script.scriptId === scriptId)
}

export type FlagValue = boolean | number | string
export type Flags = Readonly<Record<string, FlagValue>>

/** What the console starts with when a script is chosen. */
export const defaultFlags: Flags = { test: true, dryRun: true }

/** Checks flags of one script. Absent, empty and null count as not given; the server then takes false. */
export function flagsSchema(script: ScriptDefinition): z.ZodType<Flags> {
  const shape = Object.fromEntries(
    Object.entries(script.flags).map(([name, flag]) => [
      name,
      z.preprocess(
        (value) => (value === '' || value === null ? undefined : value),
        flagSchema(flag).optional(),
      ),
    ]),
  )
  return z.object(shape).transform((flags) => {
    const given = Object.entries(flags).filter(
      (entry): entry is [string, FlagValue] => entry[1] !== undefined,
    )
    return Object.fromEntries(given)
  })
}

const LONGEST_TEXT = 200

function flagSchema(flag: FlagDefinition): z.ZodType<FlagValue> {
  const { label } = flag
  switch (flag.kind) {
    case 'boolean':
      return z.boolean(`${label} is either on or off`)
    case 'number':
      return z.coerce
        .number(`${label} has to be a whole number`)
        .int(`${label} has to be a whole number`)
        .min(flag.least, `${label} has to be at least ${flag.least}`)
        .max(flag.most ?? Number.MAX_SAFE_INTEGER, `${label} can be at most ${flag.most}`)
    case 'select':
      return z.enum(flag.options, `${label} is one of: ${flag.options.join(', ')}`)
    case 'text':
      return z.string(`${label} has to be text`).trim().max(LONGEST_TEXT, `${label} is too long`)
  }
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

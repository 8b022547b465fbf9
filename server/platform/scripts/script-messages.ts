import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { z } from 'zod'
import {
  type Flags,
  flagArguments,
  flagsSchema,
  optionOf,
  type ScriptDefinition,
} from '#contract/admin/scripts.ts'
import { stagingRoots } from '#contract/admin/staging.ts'
import type { Json, JsonObject, JsonValue } from '#db/schema.gen.ts'
import type { StagedSource } from './script-program.ts'

/** The arguments on a script's command line. */
export type ScriptWords = { readonly flags: Flags; readonly source: StagedSource | undefined }

const SOURCE_ROOT = 'source-root'
const SOURCE_PATH = 'source-path'

/** Builds a script's command line. Every value follows a `=`, so that none can become an option. */
export function scriptWords({ flags, source }: ScriptWords): string[] {
  return [
    ...flagArguments(flags),
    ...(source ? [`--${SOURCE_ROOT}=${source.root}`, `--${SOURCE_PATH}=${source.path}`] : []),
  ]
}

const sourceSchema = z.object({ root: z.enum(stagingRoots), path: z.string().min(1) }).optional()

/**
 * Parses that command line. Missing flags are false for switches and undefined for others.
 * @throws TypeError or ZodError for words that `scriptWords` never writes
 */
export function readScriptWords(script: ScriptDefinition, words: readonly string[]): ScriptWords {
  const names = Object.keys(script.flags)
  const isSwitch = (name: string) => script.flags[name]?.kind === 'boolean'
  const typeOf = (name: string) => ({ type: isSwitch(name) ? 'boolean' : 'string' }) as const
  const text = { type: 'string' } as const
  const options: ParseArgsOptionsConfig = {
    ...Object.fromEntries(names.map((name) => [plain(name), typeOf(name)])),
    [SOURCE_ROOT]: text,
    [SOURCE_PATH]: text,
  }
  const { values } = parseArgs({ args: [...words], options, strict: true, allowPositionals: false })
  const given = Object.fromEntries(names.map((name) => [name, values[plain(name)]]))
  const off = Object.fromEntries(names.filter(isSwitch).map((name) => [name, false]))
  const root = values[SOURCE_ROOT]
  return {
    flags: { ...off, ...flagsSchema(script).parse(given) },
    source: sourceSchema.parse(root === undefined ? undefined : { root, path: values[SOURCE_PATH] }),
  }
}

const plain = (flag: string) => optionOf(flag).slice('--'.length)

/*
 * Messages between a script's process and its worker, over the channel that Node opens between a process and its child.
 * Log lines do not use it: they are what the process prints.
 */

const text = z.string()
// The library's own JSON type does not allow undefined in objects.
const jsonValue = z.json() as z.ZodType<JsonValue>
const json: z.ZodType<JsonObject> = z.record(z.string(), jsonValue)

export const fromScript = z.discriminatedUnion('type', [
  /** The script's code is loaded and waits for `start`. */
  z.object({ type: z.literal('ready') }),
  z.object({
    type: z.literal('progress'),
    done: z.number(),
    total: z.number().optional(),
    note: text.optional(),
  }),
  z.object({
    type: z.literal('ask'),
    id: z.number(),
    key: text,
    text,
    schema: json.optional(),
    problem: text.optional(),
  }),
  z.object({ type: z.literal('result'), value: jsonValue }),
  z.object({
    type: z.literal('error'),
    message: text,
    kind: z.enum(['fence-lost', 'give-up', 'database-down', 'other']),
  }),
])
export type FromScript = z.output<typeof fromScript>

export type ScriptStart = {
  readonly type: 'start'
  readonly jobId: string
  readonly runNo: number
  readonly checkpoint: Json | null
}

export const toScript: z.ZodType<ToScript> = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('start'),
    jobId: z.string(),
    runNo: z.number(),
    checkpoint: jsonValue,
  }),
  z.object({ type: z.literal('answer'), id: z.number(), text }),
])
export type ToScript = ScriptStart | { readonly type: 'answer'; readonly id: number; readonly text: string }

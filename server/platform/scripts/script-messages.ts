import { z } from 'zod'
import type { Json, JsonObject, JsonValue } from '#db/schema.gen.ts'

/*
 * What a script's process and its worker tell one another, over the channel that Node opens between a process and its
 * child. Lines do not go this way: they are what the process prints.
 */

const text = z.string()
// The library's own type of JSON knows no undefined in objects.
const jsonValue = z.json() as z.ZodType<JsonValue>
const json: z.ZodType<JsonObject> = z.record(z.string(), jsonValue)

export const fromScript = z.discriminatedUnion('type', [
  /** Its code is loaded, it waits for `start`. */
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

import { z } from 'zod'
import type { Endpoint } from '#contract/endpoint.ts'

const KB = 1024

/** Maximum bytes of a JSON body that no schema bounds. A listing with its description is below 100 kB. */
export const BODY_LIMIT_BYTES = 1024 * KB

// Rounded up to steps, to leave room for ignored fields and to give limits that people can remember.
const STEPS = [4, 16, 64, 256].map((kilobytes) => kilobytes * KB)

/**
 * Maximum bytes of a call's JSON body: the declared limit, or the first step above the longest body its schema allows.
 * Parsing a megabyte of brackets takes as long as a sign-in, so small calls have small limits.
 */
export function bodyLimitOf({ body, bodyBytes, upload }: Endpoint): number {
  if (bodyBytes !== undefined) return bodyBytes
  const most = body && !upload ? longestBody(body) : 0
  return STEPS.find((step) => most <= step) ?? BODY_LIMIT_BYTES
}

// Finding them takes a quarter of the time in which a server starts, and tests start hundreds.
const known = new WeakMap<z.ZodType, number>()

function longestBody(body: z.ZodType): number {
  const most = known.get(body) ?? longestJson(z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }))
  known.set(body, most)
  return most
}

type Schema = z.core.JSONSchema.BaseSchema

const LONGEST_NUMBER = 24
const UUID = 38
/** UTF-8 takes up to three bytes for each of the characters that `maxLength` counts. */
const BYTES_OF_CHARACTER = 3
const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value))

/** The longest JSON that a schema allows, in bytes; infinite without bounds. */
function longestJson(schema: z.core.JSONSchema._JSONSchema): number {
  if (typeof schema === 'boolean') return Number.POSITIVE_INFINITY
  const { enum: values, const: value, anyOf, oneOf, allOf } = schema
  if (value !== undefined) return jsonBytes(value)
  if (values) return Math.max(...values.map(jsonBytes))
  const choices = anyOf ?? oneOf
  if (choices) return Math.max(...choices.map(longestJson))
  // All of them apply, so the strictest counts.
  return Math.min(longestOfType(schema), ...(allOf ?? []).map(longestJson))
}

function longestOfType(schema: Schema): number {
  const { type }: { type?: string | string[] | undefined } = schema
  // A union of plain types.
  if (Array.isArray(type))
    return Math.max(...type.map((one) => longestJson({ ...schema, type: one } as Schema)))
  switch (type) {
    case 'string':
      if (schema.format === 'uuid') return UUID
      return BYTES_OF_CHARACTER * (schema.maxLength ?? Number.POSITIVE_INFINITY) + 2
    case 'number':
    case 'integer':
      return LONGEST_NUMBER
    case 'boolean':
    case 'null':
      return 5
    case 'array':
      return longestArray(schema)
    case 'object':
      return longestObject(schema)
    default:
      return Number.POSITIVE_INFINITY
  }
}

function longestArray({ items, prefixItems = [], maxItems }: Schema): number {
  const tuple = prefixItems.reduce<number>((sum, item) => sum + longestJson(item) + 1, 2)
  if (items === undefined || Array.isArray(items))
    return prefixItems.length > 0 ? tuple : Number.POSITIVE_INFINITY
  const more = (maxItems ?? Number.POSITIVE_INFINITY) - prefixItems.length
  return tuple + more * (longestJson(items) + 1)
}

function longestObject({ properties, additionalProperties }: Schema): number {
  // A record, which may have any number of keys.
  if (!properties || typeof additionalProperties === 'object') return Number.POSITIVE_INFINITY
  return Object.entries(properties).reduce(
    (sum, [name, value]) => sum + jsonBytes(name) + longestJson(value) + 2,
    2,
  )
}

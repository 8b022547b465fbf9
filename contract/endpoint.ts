import { z } from 'zod'
import { columnQuestion } from './column-questions/questions.ts'
import type { ErrorCode } from './error-codes.ts'
import { quote } from './order/order-quote.ts'
import { type Access, type ApiScope, type LimitClass, type Route, type RouteName, routes } from './routes.ts'

/** A call of the API: its line in `routes.ts` and its details from the noun's file. */
export type Endpoint = EndpointDetails & {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api`, parameters as `{name}`. */
  path: `/${string}`
  access: Access
  limit: LimitClass
  /** The scope that an API token needs; without one, tokens cannot make the call. */
  scope?: ApiScope | undefined
  /** Needs a sign-in or password check within the last minutes. */
  fresh?: boolean
}

type EndpointDetails = {
  summary: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** Maximum bytes of the JSON body; by default as its schema allows, 4 kB to 1 MB (`server/platform/http/limits/body-limits.ts`). */
  bodyBytes?: number
  /** The limit in words, for a body that may contain less than its byte limit. */
  bodyInWords?: string
  /** The body may also (or only) come as multipart/form-data, with one picture under this name. */
  file?: 'image'
  /** The body is multipart/form-data with one file of any size under this name; it is spooled to disk. */
  upload?: 'file'
  /** Status of a successful reply; default 200. */
  status?: 200 | 201 | 202
  /** `binary` for pictures: the handler returns a stream. */
  reply: z.ZodType | 'binary'
  /**
   * Without a token, the reply depends only on the address and public data: shared caches may keep it for a minute, and
   * clients revalidate it. `true`: it is that of the request's moment. `recent`: it may be two seconds older than the data,
   * except for a browser that just changed something. `late`: up to a minute.
   */
  shared?: true | 'recent' | 'late'
  /** The reply with status 202 if the work continues in a job; it names the job. */
  later?: z.ZodType
  errors: readonly ErrorCode[]
}

type Parsed<S> = S extends z.ZodType ? z.output<S> : undefined
type Sent<S> = S extends z.ZodType ? z.input<S> : undefined

/** What a handler receives once the adapter has checked access and parsed the request. */
export type Input<E extends Endpoint> = {
  params: Parsed<E['params']>
  query: Parsed<E['query']>
  body: Parsed<E['body']>
}

/** What a caller must supply: only the parts that the endpoint declares. */
export type Call<E extends Endpoint> = {
  [K in 'params' | 'query' | 'body' as E[K] extends z.ZodType ? K : never]: K extends 'query'
    ? Partial<Sent<E[K]>>
    : Sent<E[K]>
}

/** What a handler returns. Fields outside the schema do not leave the server. */
export type Reply<E extends Endpoint> =
  | (E['reply'] extends z.ZodType ? z.input<E['reply']> : never)
  | (E['later'] extends z.ZodType ? z.input<E['later']> : never)

/** What the caller receives. */
export type Answer<E extends Endpoint> =
  | (E['reply'] extends z.ZodType ? z.output<E['reply']> : Blob)
  | (E['later'] extends z.ZodType ? z.output<E['later']> : never)

export type EndpointTable = Record<string, Endpoint>

type Routed<T> = {
  readonly [Name in keyof T & RouteName]: T[Name] & {
    readonly method: (typeof routes)[Name][0]
    readonly path: (typeof routes)[Name][1]
    readonly access: (typeof routes)[Name][2]
    readonly limit: (typeof routes)[Name][3]
    readonly fresh?: boolean
  }
}

/**
 * Joins each endpoint with its line in `routes.ts` and keeps the literal types of both. A name without a line does not
 * compile.
 */
/* @__NO_SIDE_EFFECTS__ */
export function endpoints<const T extends Record<string, EndpointDetails>>(
  table: T & Record<Exclude<keyof T, RouteName>, never>,
): Routed<T> {
  const joined = Object.entries(table).map(([name, details]) => {
    const [method, path, access, limit, needs] = routes[name as RouteName] as Route
    const [fresh, scope] = needs === 'fresh' ? [true, undefined] : [false, needs]
    return [name, { method, path, access, limit, scope, fresh, ...(details as EndpointDetails) }]
  })
  return Object.fromEntries(joined) as Routed<T>
}

/** An error reply; any call can return one. */
export const errorReply = z.object({
  ok: z.literal(false),
  error: z.string(),
  code: z.string(),
  requestId: z.string().optional(),
  fields: z.record(z.string(), z.string()).optional(),
  /** For a listing that changed since it was read: when, and who changed it if the caller may know. */
  changed: z.object({ by: z.string(), at: z.string() }).optional(),
  /** For invalid typed text: the first wrong character, counted from 1, and suggestions. */
  position: z.number().int().optional(),
  suggestions: z.array(z.string()).optional(),
  /** For ANSWER_NEEDED: what the seller must answer before the file goes live. */
  questions: z.array(columnQuestion).optional(),
  /** For PRICE_CHANGED: what the part costs now. */
  quote: quote.optional(),
  /** For an invalid part record: why it was refused. */
  rows: z
    .array(z.object({ index: z.number().int(), ok: z.literal(false), errors: z.array(z.string()) }))
    .optional(),
})
export type ErrorReply = z.infer<typeof errorReply>

export const okReply = z.object({ ok: z.literal(true) })

/* Schemas that many calls share. */

export const count = z.number().int()

/** Whether a text has the form of our ids. */
export const isId = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

export const byId = z.object({ id: z.uuid() })
export const bySlug = z.object({ slug: z.string().min(1).max(200) })
export const adminErrors = ['SIGNED_OUT', 'NOT_ALLOWED', 'FACTOR_REQUIRED'] as const

/** Query of a list with numbered pages, and the fields of its reply. */
export const LAST_PAGE = 100_000
export const pageQuery = (perPage: number) => ({
  page: z.coerce.number().int().min(1).max(LAST_PAGE).default(1),
  perPage: z.coerce.number().int().min(1).max(100).default(perPage),
})
export const pageOf = <Item extends z.ZodType>(item: Item) => ({
  items: z.array(item),
  total: count,
  page: count,
  perPage: count,
})

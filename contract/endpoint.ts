import { z } from 'zod'
import type { ErrorCode } from './error-codes.ts'

/**
 * Who may call. `anyone` reads an optional token (owners and admins may see more); `admin` is role 1; `pro` is a
 * seller on the paid tier. Rights over a single record (ownership) are the handler's guard.
 */
export type Access = 'public' | 'anyone' | 'user' | 'pro' | 'admin'

/** Which budget of requests a call draws on; the numbers are the server's (`server/platform/http/rate-window.ts`). */
export type LimitClass = 'read' | 'write' | 'import' | 'sign-in' | 'register' | 'mail' | 'payments'

export type Endpoint = {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below `/api`, parameters as `{name}`. */
  path: `/${string}`
  summary: string
  access: Access
  limit: LimitClass
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The most bytes of the JSON body, where 1 MB is too little. */
  bodyBytes?: number
  /** What people are told of it, where the body may hold less than its bytes say. */
  bodyInWords?: string
  /** The body may also (or only) come as multipart/form-data, with one picture under this name. */
  file?: 'image'
  /** The body comes as multipart/form-data with one file of any size under this name; it is spooled to the disk. */
  upload?: 'file'
  /** Status of the good answer; 200 where nothing is said. */
  status?: 200 | 201 | 202
  /** `binary` for pictures: the handler answers with a stream. */
  reply: z.ZodType | 'binary'
  /** What is answered instead, with status 202, where the work goes on in a job: it names the job. */
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

/** What a handler answers. Fields outside the schema do not leave the server. */
export type Reply<E extends Endpoint> =
  | (E['reply'] extends z.ZodType ? z.input<E['reply']> : never)
  | (E['later'] extends z.ZodType ? z.input<E['later']> : never)

/** What the caller gets. */
export type Answer<E extends Endpoint> =
  | (E['reply'] extends z.ZodType ? z.output<E['reply']> : Blob)
  | (E['later'] extends z.ZodType ? z.output<E['later']> : never)

export type EndpointTable = Record<string, Endpoint>

/** Keeps the literal types of every endpoint while checking each one against Endpoint. */
export function endpoints<const T extends EndpointTable>(table: T): T {
  return table
}

/** An error reply, as every call can give it. */
export const errorReply = z.object({
  ok: z.literal(false),
  error: z.string(),
  code: z.string(),
  requestId: z.string().optional(),
  fields: z.record(z.string(), z.string()).optional(),
  /** Of a listing that was changed since it was read: by whom, as far as the caller may know, and when. */
  changed: z.object({ by: z.string(), at: z.string() }).optional(),
})
export type ErrorReply = z.infer<typeof errorReply>

export const okReply = z.object({ ok: z.literal(true) })

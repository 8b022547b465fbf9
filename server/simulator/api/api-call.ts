import type { z } from 'zod'
import type { Account, List } from '#server/simulator/objects/stripe-objects.ts'
import type { Work } from '#server/simulator/simulator.ts'

/** What a call is told besides its parameters. */
export type Asked = {
  /** The id in the path; empty where there is none. */
  readonly id: string
  /** The connected account on whose behalf it is made (Stripe-Account). */
  readonly onBehalfOf: Account | undefined
}

/** One call of the API: where it is, what it takes, what it does. */
export type ApiCall = {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** At most one `{id}`. */
  readonly path: string
  readonly takes: z.ZodType
  /** `given` is what `takes` made of the parameters. */
  readonly answer: (work: Work, given: unknown, asked: Asked) => Promise<object>
}

type Definition<Takes extends z.ZodType> = Omit<ApiCall, 'takes' | 'answer'> & {
  readonly takes: Takes
  readonly answer: (work: Work, given: z.output<Takes>, asked: Asked) => Promise<object>
}

/** A row of the table of calls, whose handler knows the types of its parameters. */
export function apiCall<Takes extends z.ZodType>({ answer, ...call }: Definition<Takes>): ApiCall {
  return { ...call, answer: (work, given, asked) => answer(work, given as z.output<Takes>, asked) }
}

export const DEFAULT_LIMIT = 10

/** One page of what was found; `found` holds one more than asked for where there are more. */
export function listOf<Item>(found: readonly Item[], url: string, limit: number = DEFAULT_LIMIT): List<Item> {
  return { object: 'list', data: found.slice(0, limit), has_more: found.length > limit, url }
}

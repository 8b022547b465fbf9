import { z } from 'zod'

/*
 * The kinds of parameters, as they arrive in a form: everything is text. What does not fit gets the code that Stripe
 * gives it; the sentence is made in parameter-error.ts, which knows the parameter's name.
 */

const asked = (code: string) => ({ params: { code } })

export const text = z
  .string()
  .refine((value) => value !== '', asked('parameter_invalid_empty'))
  .refine((value) => value.length <= 5_000, asked('parameter_too_long'))

export const flag = z
  .string()
  .refine((value) => /^(true|false)$/.test(value), asked('boolean'))
  .transform((value) => value === 'true')

export const wholeNumber = (least: number, most: number) =>
  z
    .string()
    .refine((value) => /^-?\d{1,15}$/.test(value), asked('parameter_invalid_integer'))
    .transform(Number)
    .refine((value) => value >= least, asked('number_too_small'))
    .refine((value) => value <= most, asked('number_too_large'))

export const webAddress = text.refine((value) => isWebAddress(value), asked('url_invalid'))

export const emailAddress = text.refine((value) => z.email().safeParse(value).success, asked('email_invalid'))

/** At most 50 pairs; a key without a value takes it away, and an empty text takes all away. */
export const metadata = z
  .string()
  .refine((value) => value === '', asked('hash'))
  .transform((): Record<string, string> => ({}))
  .or(
    z
      .record(z.string().max(40), z.string().max(500))
      .refine((pairs) => Object.keys(pairs).length <= 50, asked('too_many_keys')),
  )

/** One of these words. */
export const oneOf = <const Words extends readonly [string, ...string[]]>(...words: Words) => z.enum(words)

/** What a call takes, and nothing else; `expand` goes with every call. */
export function parameters<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ ...shape, expand: z.array(text).max(20).optional() })
}

/** What a list takes besides its filters. */
export function listParameters<Shape extends z.ZodRawShape>(shape: Shape) {
  return parameters({ ...shape, limit: wholeNumber(1, 100).optional(), starting_after: text.optional() })
}

function isWebAddress(value: string): boolean {
  const url = URL.parse(value)
  return url?.protocol === 'http:' || url?.protocol === 'https:'
}

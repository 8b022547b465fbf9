import { z } from 'zod'
import type { JsonObject } from '#db/schema.gen.ts'

export type Question = {
  readonly key: string
  readonly text: string
  readonly schema?: JsonObject
  readonly problem?: string
}

/**
 * Asks, and where the answer does not fit its schema asks again under a key of its own (`price#2`) with the reason.
 * Answers are kept by their keys, so a later run goes the same way to the answer that fitted.
 */
export async function askUntilItFits<T>(
  put: (question: Question) => Promise<string>,
  { key, text }: Pick<Question, 'key' | 'text'>,
  schema: z.ZodType<T>,
): Promise<T> {
  const form = formOf(schema)
  let problem: string | undefined
  for (let attempt = 1; ; attempt += 1) {
    const question = { key: attempt === 1 ? key : `${key}#${attempt}`, text, schema: form }
    const answer = await put(problem === undefined ? question : { ...question, problem })
    const read = schema.safeParse(fromJson(answer))
    if (read.success) return read.data
    problem = problemOf(read.error)
  }
}

function formOf(schema: z.ZodType): JsonObject {
  return JSON.parse(JSON.stringify(z.toJSONSchema(schema, { io: 'input' })))
}

/** What is no JSON fits no schema of an object. */
function fromJson(answer: string): unknown {
  try {
    return JSON.parse(answer)
  } catch {
    return answer
  }
}

function problemOf({ issues }: z.ZodError): string {
  return issues
    .map(({ path, message }) => (path.length > 0 ? `${path.join('.')}: ${message}` : message))
    .join('; ')
}

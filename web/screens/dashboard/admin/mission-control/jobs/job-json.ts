/** Spec, section 5. */
export const invalidJson = 'Invalid JSON in payload or options'

export type JobJson = { payload: string; options: string }
type Parsed = { payload: Record<string, unknown>; options: Record<string, unknown> }

/** As a person edits it. */
export const jsonText = (value: unknown): string => JSON.stringify(value, null, 2)

/** Undefined for each text that is no JSON object; an empty one is an empty object. */
export function parseJobJson({ payload, options }: JobJson): {
  [Name in keyof Parsed]: Parsed[Name] | undefined
} {
  return { payload: parseObject(payload), options: parseObject(options) }
}

function parseObject(text: string): Record<string, unknown> | undefined {
  if (text.trim() === '') return {}
  try {
    const value: unknown = JSON.parse(text)
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

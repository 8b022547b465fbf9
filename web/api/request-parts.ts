/** Fills `{name}` parameters and appends the query; absent and empty query values are left out. */
export function requestPath(
  pattern: string,
  params: Record<string, unknown> = {},
  query: Record<string, unknown> = {},
): string {
  const path = pattern.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(params[name])))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined && value !== null && value !== '') search.set(name, String(value))
  }
  return search.size === 0 ? path : `${path}?${search}`
}

/** JSON, or a form where a picture goes along. */
export function requestBody(body: unknown, file: File | undefined): string | FormData | undefined {
  if (file === undefined) return body === undefined ? undefined : JSON.stringify(body)
  const form = requestForm(body)
  form.set('image', file)
  return form
}

/** A form of texts; absent fields stay out, and an emptied one is sent as an empty text. */
export function requestForm(body: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, unknown>)) {
    if (value !== undefined) form.set(name, value === null ? '' : String(value))
  }
  return form
}

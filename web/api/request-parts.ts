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

/**
 * Idempotency keys of creating calls. A submit whose answer never came keeps its key, so that sending the same content
 * again is answered with what the first one made, instead of making it twice. Any final answer ends the key: the next
 * submit, be it of the same content, is a new one.
 */
export function submissionKeys(newKey: () => string) {
  const open = new Map<string, string>()
  return {
    keyFor(content: string): string {
      const key = open.get(content) ?? newKey()
      open.set(content, key)
      return key
    },
    /** For a reply that was read whole. After a 5xx it is not known whether something was created. */
    settle(content: string, status: number): void {
      if (status < 500) open.delete(content)
    },
  }
}

/** What was submitted, as a text to compare: two submits are the same if address, body and chosen file are. */
export function contentOf(address: string, body: unknown, file: File | undefined): string {
  const picture = file && [file.name, file.size, file.lastModified, file.type]
  return JSON.stringify([address, body, picture])
}

/** `crypto.randomUUID` exists on https and localhost only; a yard's own server may be plain http. */
export function randomKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

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

/** JSON, or a form if there is a picture. */
export function requestBody(body: unknown, file: File | undefined): string | FormData | undefined {
  if (file === undefined) return body === undefined ? undefined : JSON.stringify(body)
  const form = requestForm(body)
  form.set('image', file)
  return form
}

/** A form of strings: undefined fields are left out, and null is sent as an empty string. */
export function requestForm(body: unknown): FormData {
  const form = new FormData()
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, unknown>)) {
    if (value !== undefined) form.set(name, value === null ? '' : String(value))
  }
  return form
}

/**
 * Idempotency keys for creating calls. A submission without a response keeps its key, so that sending the same content
 * again returns what the first one created instead of creating it twice. Any final response retires the key: the next
 * submission is a new one, even with the same content.
 */
export function submissionKeys(newKey: () => string) {
  const open = new Map<string, string>()
  return {
    keyFor(content: string): string {
      const key = open.get(content) ?? newKey()
      open.set(content, key)
      return key
    },
    /** For a response that was read completely. After a 5xx nobody knows whether something was created. */
    settle(content: string, status: number): void {
      if (status < 500) open.delete(content)
    },
  }
}

/** A submission as a comparable string: two are the same if their URL, body, and file are. */
export function contentOf(address: string, body: unknown, file: File | undefined): string {
  const picture = file && [file.name, file.size, file.lastModified, file.type]
  return JSON.stringify([address, body, picture])
}

/** `crypto.randomUUID` exists only on https and localhost; a yard's own server may use plain http. */
export function randomKey(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

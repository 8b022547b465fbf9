type Area = 'localStorage' | 'sessionStorage'

/** Reads a text from the browser's storage; null also if storage is blocked. */
export function readText(key: string, area: Area = 'localStorage'): string | null {
  try {
    return globalThis[area].getItem(key)
  } catch {
    return null
  }
}

/** Returns false if the browser cannot store it (private mode, storage blocked or full). */
export function writeText(key: string, text: string, area: Area = 'localStorage'): boolean {
  try {
    globalThis[area].setItem(key, text)
    return true
  } catch {
    return false
  }
}

export function removeText(key: string, area: Area = 'localStorage'): void {
  try {
    globalThis[area].removeItem(key)
  } catch {
    // Storage is blocked, so nothing was stored.
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Parses a JSON object. Undefined for anything else, such as a text stored by an older app or edited by hand. */
export function parseRecord(text: string | null): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? 'null')
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

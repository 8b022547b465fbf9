import type { ListingKind } from '#contract/listing-fields.ts'
import { draftPrefix } from '#web/api/device-copies.ts'
import { emptyValues, type ListingValues } from './listing-values.ts'

export type Draft = { values: ListingValues; savedAt: string }

/** One draft a kind and person: two people at one counter computer do not find each other's text. */
export const draftKey = (kind: ListingKind, userId: string): string => `${draftPrefix}${kind}:${userId}`

/** The kept draft. What a newer or older version of the app wrote is read as far as it fits. */
export function readDraft(key: string): Draft | undefined {
  const kept = keptRecord(key)
  if (!isRecord(kept?.values) || typeof kept.savedAt !== 'string') return undefined
  return { values: textsOf(kept.values), savedAt: kept.savedAt }
}

export function keptRecord(key: string): Record<string, unknown> | undefined {
  const kept = parse(stored(key))
  return isRecord(kept) ? kept : undefined
}

export function textsOf(kept: Record<string, unknown>): ListingValues {
  const values = emptyValues()
  for (const field of Object.keys(values) as (keyof ListingValues)[]) {
    const text = kept[field]
    if (typeof text === 'string') values[field] = text
  }
  return values
}

/** False where the browser keeps nothing (private mode, storage full). */
export function writeDraft(key: string, draft: Draft): boolean {
  try {
    localStorage.setItem(key, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function dropDraft(key: string): void {
  try {
    localStorage.removeItem(key)
  } catch {
    // Storage is closed to this page; nothing was kept there.
  }
}

function stored(key: string): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

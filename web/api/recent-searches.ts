import { readText, removeText, writeText } from './browser-storage.ts'

/* This device's recent searches. They are never sent; signing out removes them (device-copies.ts). */

export const recentSearches = 'recentSearches'

// As many as the list below the search box shows.
const MOST_KEPT = 6

/** Newest first. Anything else in the storage counts as none. */
export function readRecentSearches(): string[] {
  try {
    const kept: unknown = JSON.parse(readText(recentSearches) ?? '[]')
    return Array.isArray(kept) ? kept.filter((words) => typeof words === 'string').slice(0, MOST_KEPT) : []
  } catch {
    return []
  }
}

export function rememberSearch(words: string): void {
  const typed = words.trim()
  if (typed === '') return
  const others = readRecentSearches().filter((each) => each.toLowerCase() !== typed.toLowerCase())
  writeText(recentSearches, JSON.stringify([typed, ...others].slice(0, MOST_KEPT)))
}

export const forgetSearches = (): void => removeText(recentSearches)

import { useSyncExternalStore } from 'react'
import { readText, writeText } from '#web/api/browser-storage.ts'

export type ColorScheme = 'light' | 'dark'

/** public/first.js reads the same key, and sets the same attribute, before the first paint. */
const STORAGE_KEY = 'colorScheme'
const ATTRIBUTE = 'data-mantine-color-scheme'

const listeners = new Set<() => void>()

/** The scheme that is shown: the visitor's choice, or else the system's. */
export function shownScheme(): ColorScheme {
  return document.documentElement.getAttribute(ATTRIBUTE) === 'dark' ? 'dark' : 'light'
}

export function chooseScheme(scheme: ColorScheme): void {
  writeText(STORAGE_KEY, scheme)
  show(scheme)
}

function show(scheme: ColorScheme): void {
  document.documentElement.setAttribute(ATTRIBUTE, scheme)
  for (const notify of listeners) notify()
}

/** Follows the system until the visitor chooses, and other tabs after that. Returns a function that stops it. */
export function followScheme(listener: () => void): () => void {
  if (listeners.size === 0) {
    system().addEventListener('change', followSystem)
    window.addEventListener('storage', followOtherTab)
  }
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    system().removeEventListener('change', followSystem)
    window.removeEventListener('storage', followOtherTab)
  }
}

const system = () => window.matchMedia('(prefers-color-scheme: dark)')

function followSystem({ matches }: MediaQueryListEvent): void {
  if (readText(STORAGE_KEY) === null) show(matches ? 'dark' : 'light')
}

function followOtherTab({ key, newValue }: StorageEvent): void {
  if (key === STORAGE_KEY && (newValue === 'light' || newValue === 'dark')) show(newValue)
}

/** Undefined on the server, which does not know it, and during hydration. */
export function useColorScheme(): ColorScheme | undefined {
  return useSyncExternalStore(followScheme, shownScheme, () => undefined)
}

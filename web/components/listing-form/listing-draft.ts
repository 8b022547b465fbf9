import { del, get, set } from 'idb-keyval'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ListingKind } from '#contract/listing/listing-fields.ts'
import { draftPictures, draftPrefix, openDeviceStore } from '#web/api/device-copies.ts'
import { currentSession, onSessionEnded } from '#web/api/session.ts'
import { emptyValues, type ListingValues } from './listing-values.ts'

/** Long enough not to write at every letter, short enough to lose no sentence. */
const saveAfterMs = 800

type DraftState = {
  /** Where the draft is kept; undefined keeps none. */
  key: string | undefined
  values: ListingValues
  picture: File | undefined
  /** Whether the form holds anything that it did not begin with. */
  changed: boolean
  /** What else is kept with the values. */
  besides?: object
  /** Called with the draft's picture when it has been read; reading it takes a moment. */
  onPicture: (picture: File) => void
}

/** Keeps the form's text while it is typed, and what is left of it when the page goes away. */
export function useDraft({ key, values, picture, changed, besides, onPicture }: DraftState) {
  // What was sent is no draft any more, though the form goes on showing it for a moment.
  useDraftPicture({ key, picture: changed ? picture : undefined, onPicture })
  const [savedAt, setSavedAt] = useState(() => key && readDraft(key)?.savedAt)
  const [failed, setFailed] = useState(false)

  const keep = useEffectEvent(() => {
    if (key === undefined || !changed) return
    const now = new Date().toISOString()
    const kept = writeDraft(key, { ...besides, values, savedAt: now })
    setFailed(!kept)
    if (kept) setSavedAt(now)
  })
  const [writer] = useState(() => currentSession().user?.id)
  // Logging out drops the drafts, here or in another tab; a form that is still on the page must not bring one back.
  const save = useEffectEvent(() => {
    if (currentSession().user?.id === writer) keep()
  })
  const forget = useEffectEvent(() => {
    if (key === undefined) return
    dropDraft(key)
    setSavedAt(undefined)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the values starts the wait anew
  useEffect(() => {
    if (!changed) return
    const timer = setTimeout(() => save(), saveAfterMs)
    return () => clearTimeout(timer)
  }, [values, changed])

  // Sent, discarded, or typed back to the beginning: nothing is left to come back to.
  useEffect(() => {
    if (!changed) forget()
  }, [changed])

  useEffect(() => {
    const saveNow = () => save()
    window.addEventListener('pagehide', saveNow)
    // Ended by the server, the person comes back to what was typed last.
    const stopListening = onSessionEnded(() => keep())
    return () => {
      window.removeEventListener('pagehide', saveNow)
      stopListening()
      saveNow()
    }
  }, [])

  return { savedAt, failed }
}

type PictureState = Pick<DraftState, 'key' | 'picture' | 'onPicture'>

function useDraftPicture({ key, picture, onPicture }: PictureState): void {
  const [read, setRead] = useState(false)
  const restore = useEffectEvent((kept: File | undefined) => {
    if (kept && picture === undefined) onPicture(kept)
    setRead(true)
  })
  useEffect(() => {
    if (key === undefined) return
    let current = true
    void readDraftPicture(key).then((kept) => current && restore(kept))
    return () => {
      current = false
    }
  }, [key])
  useEffect(() => {
    // Not before the kept one is read, or the empty beginning would take its place.
    if (key !== undefined && read) void keepDraftPicture(key, picture)
  }, [key, picture, read])
}

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
function writeDraft(key: string, draft: Draft): boolean {
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

const store = openDeviceStore(draftPictures, 'pictures')

/** The draft's picture. Where the browser keeps none (private mode, no room), there is none to come back to. */
async function readDraftPicture(key: string): Promise<File | undefined> {
  try {
    const kept = await get<unknown>(key, store)
    return kept instanceof File ? kept : undefined
  } catch {
    return undefined
  }
}

async function keepDraftPicture(key: string, picture: File | undefined): Promise<void> {
  try {
    if (picture) await set(key, picture, store)
    else await del(key, store)
  } catch {
    // The text is kept all the same; the picture can be chosen again.
  }
}

import { del, get, set } from 'idb-keyval'
import { useEffect, useEffectEvent, useState } from 'react'
import type { ListingKind } from '#contract/listing/listing-fields.ts'
import { isRecord, parseRecord, readText, removeText, writeText } from '#web/api/browser-storage.ts'
import { draftPictures, draftPrefix, openDeviceStore } from '#web/api/device-copies.ts'
import { currentSession, onSessionEnded } from '#web/api/session.ts'
import type { FormPicture } from '#web/components/listing-picture/form-pictures.ts'
import { emptyValues, type ListingValues } from './listing-values.ts'

/** Long enough not to save on every keystroke, short enough not to lose a sentence. */
const saveAfterMs = 800

type DraftState = {
  /** The storage key; undefined saves no draft. */
  key: string | undefined
  values: ListingValues
  /** Only for a new listing; an existing one saves its pictures at once. */
  pictures?: readonly FormPicture[]
  /** Whether the form differs from its initial values. */
  changed: boolean
  extra?: object
  /** Called with the draft's pictures once they are loaded. */
  onPictures?: (pictures: readonly FormPicture[]) => void
}

const noPictures: readonly FormPicture[] = []

/** Saves the form on this device while it is edited and when the page is closed. */
export function useDraft({
  key,
  values,
  pictures = noPictures,
  changed,
  extra,
  onPictures = () => undefined,
}: DraftState) {
  // A saved listing is no longer a draft, even while the form still shows it.
  useDraftPictures({ key, pictures: changed ? pictures : noPictures, onPictures })
  const [savedAt, setSavedAt] = useState(() => key && readDraft(key)?.savedAt)
  const [failed, setFailed] = useState(false)

  const keep = useEffectEvent(() => {
    if (key === undefined || !changed) return
    const now = new Date().toISOString()
    const stored = writeText(key, JSON.stringify({ ...extra, values, savedAt: now }))
    setFailed(!stored)
    if (stored) setSavedAt(now)
  })
  const [writer] = useState(() => currentSession().user?.id)
  // Logging out, here or in another tab, deletes drafts. A form still on the page must not save one again.
  const save = useEffectEvent(() => {
    if (currentSession().user?.id === writer) keep()
  })
  const forget = useEffectEvent(() => {
    if (key === undefined) return
    removeText(key)
    setSavedAt(undefined)
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: every change restarts the timer
  useEffect(() => {
    if (!changed) return
    const timer = setTimeout(() => save(), saveAfterMs)
    return () => clearTimeout(timer)
  }, [values, changed])

  // Saved, discarded or edited back to the initial values.
  useEffect(() => {
    if (!changed) forget()
  }, [changed])

  useEffect(() => {
    const saveNow = () => save()
    window.addEventListener('pagehide', saveNow)
    // If the server ends the session, the user can continue after logging in again.
    const stopListening = onSessionEnded(() => keep())
    return () => {
      window.removeEventListener('pagehide', saveNow)
      stopListening()
      saveNow()
    }
  }, [])

  return { savedAt, failed }
}

type PicturesState = Required<Pick<DraftState, 'key' | 'pictures' | 'onPictures'>>

function useDraftPictures({ key, pictures, onPictures }: PicturesState): void {
  const [read, setRead] = useState(false)
  const restore = useEffectEvent((stored: readonly FormPicture[]) => {
    if (stored.length > 0 && pictures.length === 0) onPictures(stored)
    setRead(true)
  })
  useEffect(() => {
    if (key === undefined) return
    let current = true
    void readDraftPictures(key).then((stored) => current && restore(stored))
    return () => {
      current = false
    }
  }, [key])
  useEffect(() => {
    // Only after the stored pictures are loaded, or the empty form would overwrite them.
    if (key !== undefined && read) void keepDraftPictures(key, pictures)
  }, [key, pictures, read])
}

export type Draft = { values: ListingValues; savedAt: string }

/** One draft per kind and user, because a counter computer has several users. */
export const draftKey = (kind: ListingKind, userId: string): string => `${draftPrefix}${kind}:${userId}`

/** The stored draft. Unknown fields from another version of the app are ignored. */
export function readDraft(key: string): Draft | undefined {
  const stored = parseRecord(readText(key))
  if (!isRecord(stored?.values) || typeof stored.savedAt !== 'string') return undefined
  return { values: textsOf(stored.values), savedAt: stored.savedAt }
}

export function textsOf(stored: Record<string, unknown>): ListingValues {
  const values = emptyValues()
  for (const field of Object.keys(values) as (keyof ListingValues)[]) {
    const text = stored[field]
    if (typeof text === 'string') values[field] = text
  }
  return values
}

const store = openDeviceStore(draftPictures, 'pictures')

/** The draft's pictures; none if the browser could not store them. */
async function readDraftPictures(key: string): Promise<readonly FormPicture[]> {
  try {
    const stored = await get<unknown>(key, store)
    // An older version of the app stored a single file; ignore it.
    return Array.isArray(stored) ? (stored as readonly FormPicture[]) : []
  } catch {
    return []
  }
}

async function keepDraftPictures(key: string, pictures: readonly FormPicture[]): Promise<void> {
  // A picture that is still being shrunk is stored afterwards.
  const ready = pictures.filter(({ prepared }) => prepared)
  try {
    if (ready.length > 0) await set(key, ready, store)
    else await del(key, store)
  } catch {
    // The text is saved anyway; the pictures can be chosen again.
  }
}

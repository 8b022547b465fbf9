import { useEffect, useEffectEvent, useState } from 'react'
import { currentSession, onSessionEnded } from '#web/api/session.ts'
import { keepDraftPicture, readDraftPicture } from './draft-picture.ts'
import { dropDraft, readDraft, writeDraft } from './listing-draft.ts'
import type { ListingValues } from './listing-values.ts'

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

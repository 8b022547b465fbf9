import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { MAX_PICTURES } from '#contract/listing/listing-rules.ts'
import type { PictureMark } from '#contract/pictures.ts'
import type { UploadState } from './picture-queue.ts'

/** What a person added to a picture. */
export type PictureDetails = { alt: string; marks: readonly PictureMark[] }

export type DeskPicture = PictureDetails & {
  id: string
  /** The file's name; empty for a picture on the server. */
  name: string
  /** A URL or a local file; undefined while there is nothing to show. */
  thumb: string | Blob | undefined
  full: string | Blob | undefined
  /** Why its file could not be downloaded. */
  problem: string | null
  /** Undefined once it is uploaded: only then can it be moved and described. */
  upload: Exclude<UploadState, { step: 'done' }> | undefined
}

/** What a picture desk shows and does, for a form not submitted yet or for an existing listing. */
export type PictureDesk = {
  /** The first is the cover. */
  pictures: readonly DeskPicture[]
  /** Sentences about files that were not accepted. */
  notices: readonly string[]
  /** The last picture that was removed, while that can be undone. */
  removed: { undo: () => void } | undefined
  add: (files: readonly File[]) => void
  move: (id: string, to: number) => void
  /** Rejects with the server's refusal. */
  edit: (id: string, details: PictureDetails) => Promise<void>
  remove: (id: string) => void
  /** Sends a picture that failed again. */
  retry: (id: string) => void
}

/** The files that fit on a listing with this many pictures, and a sentence about the others. */
export function roomFor(
  files: readonly File[],
  pictures: number,
): { taken: readonly File[]; notice: string | undefined } {
  const room = Math.max(0, MAX_PICTURES - pictures)
  const [first, ...more] = files.slice(room)
  if (!first) return { taken: files, notice: undefined }
  const which = more.length === 0 ? `“${first.name}” was` : `“${first.name}” and ${more.length} more were`
  return {
    taken: files.slice(0, room),
    notice: `A listing has up to ${MAX_PICTURES} pictures. ${which} not added.`,
  }
}

/** Enough time to notice a mistake. */
const UNDO_MS = 10_000

type Removed<P> = { picture: P; position: number }

/**
 * Lets a removal be undone for a while. `commit` is called when it no longer can be: after some seconds, with the next
 * removal, or when the form is closed.
 */
export function useRemoval<P>({
  undo,
  commit = () => undefined,
}: {
  undo: (picture: P, position: number) => void
  commit?: (picture: P) => void
}) {
  const [removed, setRemoved] = useState<Removed<P>>()
  const open = useRef<Removed<P>>(undefined)
  const take = (): Removed<P> | undefined => {
    const last = open.current
    open.current = undefined
    setRemoved(undefined)
    return last
  }
  const finish = () => {
    const last = take()
    if (last) commit(last.picture)
  }
  const finishLater = useEffectEvent(finish)
  useEffect(() => {
    if (!removed) return
    const timer = setTimeout(() => finishLater(), UNDO_MS)
    return () => clearTimeout(timer)
  }, [removed])
  useEffect(() => () => finishLater(), [])

  return {
    removed: removed && {
      undo: () => {
        const last = take()
        if (last) undo(last.picture, last.position)
      },
    },
    remove(picture: P, position: number): void {
      finish()
      open.current = { picture, position }
      setRemoved(open.current)
    },
    finish,
    /** Drops the removal without undoing or committing it. */
    forget: () => void take(),
  }
}

import { useEffect, useState } from 'react'
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
  /** Undefined unless it is being read or sent: meanwhile it can't be moved or described. */
  upload: Exclude<UploadState, { step: 'done' }> | undefined
}

/** What a picture desk shows and does. Nothing is sent before the form is saved. */
export type PictureDesk = {
  /** The first is the cover. */
  pictures: readonly DeskPicture[]
  /** Sentences about files that were not accepted. */
  notices: readonly string[]
  /** The last picture that was removed, while that can be undone. */
  removed: { undo: () => void } | undefined
  add: (files: readonly File[]) => void
  move: (id: string, to: number) => void
  edit: (id: string, details: PictureDetails) => void
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

/** Lets the last removal be undone for a while. */
export function useRemoval<P>({ undo }: { undo: (picture: P, position: number) => void }) {
  const [removed, setRemoved] = useState<Removed<P>>()
  const forget = () => setRemoved(undefined)
  useEffect(() => {
    if (!removed) return
    const timer = setTimeout(() => setRemoved(undefined), UNDO_MS)
    return () => clearTimeout(timer)
  }, [removed])
  return {
    removed: removed && {
      undo: () => {
        forget()
        undo(removed.picture, removed.position)
      },
    },
    remove: (picture: P, position: number) => setRemoved({ picture, position }),
    forget,
  }
}

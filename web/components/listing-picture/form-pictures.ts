import { useRef, useState } from 'react'
import type { OwnPicture, PictureMark } from '#contract/pictures.ts'
import { newKey } from './listing-uploads.ts'
import { type DeskPicture, type PictureDesk, roomFor, useRemoval } from './picture-desk-state.ts'
import { PictureProblem, type PreparedPicture, preparePicture } from './shrink-picture.ts'

/** A picture in a listing's form. What was done to it is on this device only until the form is saved. */
export type FormPicture = {
  key: string
  name: string
  /** The picture on its listing; undefined for a new one. */
  saved?: OwnPicture | undefined
  /** Undefined while it is being shrunk. */
  prepared?: PreparedPicture | undefined
  alt: string
  marks: readonly PictureMark[]
}

export const newPicture = (prepared: PreparedPicture): FormPicture => ({
  key: newKey(),
  name: prepared.file.name,
  prepared,
  alt: '',
  marks: [],
})

const savedPicture = (saved: OwnPicture): FormPicture => ({
  key: saved.id,
  name: '',
  saved,
  alt: saved.alt,
  marks: saved.marks,
})

type Rebase = {
  /** The saved pictures that the form began with. */
  before: readonly FormPicture[]
  now: readonly FormPicture[]
  server: readonly OwnPicture[]
  /** Ids of new pictures that the server has by now, by key. */
  arrived: ReadonlyMap<string, string>
}

/** Merges what the server has with what was done in the form. The form's order and edits are kept. */
function rebasePictures({ before, now, server, arrived }: Rebase): {
  origin: readonly FormPicture[]
  now: readonly FormPicture[]
} {
  const fresh = new Map(server.map((saved) => [saved.id, savedPicture(saved)]))
  const origin = [...fresh.values()]
  if (isSame(now, before)) return { origin, now: origin }
  const kept = now.flatMap((picture): FormPicture[] => {
    const current = fresh.get(picture.saved?.id ?? arrived.get(picture.key) ?? '')
    if (!current) return picture.saved ? [] : [picture]
    const isEdited = picture.saved !== undefined && !before.includes(picture)
    return [isEdited ? { ...picture, saved: current.saved } : current]
  })
  const known = new Set([...before, ...kept].map(({ key }) => key))
  const added = origin.filter(({ key }) => !known.has(key))
  // The same file chosen twice is one picture of its listing.
  return { origin, now: [...new Map([...kept, ...added].map((one) => [one.key, one])).values()] }
}

/** Whether these are the same pictures, unedited and in the same order. */
const isSame = (pictures: readonly FormPicture[], before: readonly FormPicture[]): boolean =>
  pictures.length === before.length && pictures.every((picture, at) => picture === before[at])

/** The pictures of a listing's form. */
export function useFormPictures(start: readonly FormPicture[], onChange: () => void) {
  const { list, latest, change } = usePictureList(start)
  const [origin, setOrigin] = useState(start)
  const [notices, setNotices] = useState<readonly string[]>([])
  const refuse = (sentence: string) => setNotices((before) => [...before, sentence])
  // Submitting the form waits for these.
  const preparing = useRef(new Set<Promise<void>>())
  const removal = useRemoval<FormPicture>({
    undo: (picture, position) => change((before) => before.toSpliced(position, 0, picture)),
  })

  const desk: PictureDesk = {
    pictures: list.map(deskPicture),
    notices,
    removed: removal.removed,
    add(files) {
      onChange()
      const { taken, notice } = roomFor(files, latest().length)
      setNotices(notice === undefined ? [] : [notice])
      for (const file of taken) {
        const work = addPrepared(file, change, refuse)
        preparing.current.add(work)
        void work.finally(() => preparing.current.delete(work))
      }
    },
    move: (key, to) =>
      change((before) => {
        const picture = before.find((each) => each.key === key)
        return picture ? before.filter((each) => each !== picture).toSpliced(to, 0, picture) : before
      }),
    edit: (key, details) =>
      change((before) => before.map((each) => (each.key === key ? { ...each, ...details } : each))),
    remove(key) {
      const position = latest().findIndex((each) => each.key === key)
      const picture = latest()[position]
      if (!picture) return
      change((before) => before.filter((each) => each !== picture))
      removal.remove(picture, position)
    },
    retry: () => undefined,
  }

  return {
    desk,
    list,
    latest,
    /** Those of the unchanged form. */
    origin,
    changed: !isSame(list, origin),
    /** Shows what the server has by now, with what was done in the form on top. */
    showSaved(server: readonly OwnPicture[], arrived: ReadonlyMap<string, string>): void {
      const next = rebasePictures({ before: origin, now: latest(), server, arrived })
      setOrigin(next.origin)
      change(() => next.now)
    },
    /** Replaces all pictures. Those that differ from `from` count as changed. */
    reset(pictures: readonly FormPicture[], from: readonly FormPicture[] = []): void {
      removal.forget()
      setNotices([])
      setOrigin(from)
      change(() => pictures)
    },
    isPreparing: () => preparing.current.size > 0,
    /** The pictures once all are small enough to send. */
    async settled(): Promise<readonly FormPicture[]> {
      while (preparing.current.size > 0) await Promise.all(preparing.current)
      return latest()
    },
  }
}

type ChangeList = (next: (before: readonly FormPicture[]) => readonly FormPicture[]) => void

/** A list that several pictures join, each when it is ready. */
function usePictureList(start: readonly FormPicture[]) {
  const [list, setList] = useState(start)
  const latest = useRef(list)
  const change: ChangeList = (next) => {
    latest.current = next(latest.current)
    setList(latest.current)
  }
  return { list, latest: () => latest.current, change }
}

/** Shows the file name at once, and the picture once it is shrunk. */
async function addPrepared(
  file: File,
  change: ChangeList,
  refuse: (sentence: string) => void,
): Promise<void> {
  const { name } = file
  const key = newKey()
  change((before) => [...before, { key, name, alt: '', marks: [] }])
  try {
    const prepared = await preparePicture(file)
    change((before) => before.map((each) => (each.key === key ? { ...each, prepared } : each)))
  } catch (error) {
    change((before) => before.filter((each) => each.key !== key))
    refuse(problemOf(error, name))
  }
}

const problemOf = (error: unknown, name: string): string =>
  error instanceof PictureProblem ? error.message : `“${name}” can’t be read. Choose it again.`

const deskPicture = ({ key, name, saved, prepared, alt, marks }: FormPicture): DeskPicture => ({
  id: key,
  name,
  ...(saved ? addressesOf(saved) : { thumb: prepared?.thumb ?? prepared?.file, full: prepared?.file }),
  alt,
  marks,
  problem: saved?.problem ?? null,
  upload: saved || prepared ? undefined : { step: 'preparing' },
})

const addressesOf = ({ url }: OwnPicture) =>
  url === null ? { thumb: undefined, full: undefined } : { thumb: `${url}&width=440`, full: url }

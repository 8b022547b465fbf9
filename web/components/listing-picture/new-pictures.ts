import { useRef, useState } from 'react'
import type { PictureMark } from '#contract/pictures.ts'
import { newKey } from './listing-uploads.ts'
import { type DeskPicture, type PictureDesk, roomFor, useRemoval } from './picture-desk-state.ts'
import { PictureProblem, type PreparedPicture, preparePicture } from './shrink-picture.ts'

/** A picture of a listing that does not exist yet. */
export type NewPicture = {
  key: string
  name: string
  /** Undefined while it is being shrunk. */
  prepared?: PreparedPicture | undefined
  alt: string
  marks: readonly PictureMark[]
}

export const newPicture = (prepared: PreparedPicture): NewPicture => ({
  key: newKey(),
  name: prepared.file.name,
  prepared,
  alt: '',
  marks: [],
})

/** The pictures of a form for a new listing: only on this device until the listing is created. */
export function useNewPictures(start: readonly NewPicture[], onChange: () => void) {
  const { list, latest, change } = usePictureList(start)
  const [notices, setNotices] = useState<readonly string[]>([])
  const refuse = (sentence: string) => setNotices((before) => [...before, sentence])
  // Submitting the form waits for these.
  const preparing = useRef(new Set<Promise<void>>())
  const removal = useRemoval<NewPicture>({
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
    edit: async (key, details) =>
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
    /** Replaces all pictures. */
    reset(pictures: readonly NewPicture[]): void {
      removal.forget()
      setNotices([])
      change(() => pictures)
    },
    isPreparing: () => preparing.current.size > 0,
    /** The pictures once all are small enough to send. */
    async settled(): Promise<readonly NewPicture[]> {
      while (preparing.current.size > 0) await Promise.all(preparing.current)
      return latest()
    },
  }
}

type ChangeList = (next: (before: readonly NewPicture[]) => readonly NewPicture[]) => void

/** A list that several pictures join, each when it is ready. */
function usePictureList(start: readonly NewPicture[]) {
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

const deskPicture = ({ key, name, prepared, alt, marks }: NewPicture): DeskPicture => ({
  id: key,
  name,
  thumb: prepared?.thumb ?? prepared?.file,
  full: prepared?.file,
  alt,
  marks,
  problem: null,
  upload: prepared ? undefined : { step: 'preparing' },
})

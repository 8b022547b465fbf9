import { useState } from 'react'
import { MAX_MATCHED_NAMES, type PictureMatch, pictureEndpoints } from '#contract/pictures.ts'
import { call, queryClient } from '#web/api/client.ts'
import { keepAddedPictures, readAddedPictures } from '#web/api/device-copies.ts'
import { errorSentence } from '#web/api/failures.ts'
import { sendWaitingNow } from '#web/api/patience.ts'
import { type PickedFile, picturesAmong } from '#web/components/listing-picture/picked-files.ts'
import {
  isUnderway,
  PictureQueue,
  type PictureUpload,
  usePictureQueue,
} from '#web/components/listing-picture/picture-queue.ts'
import { PictureProblem } from '#web/components/listing-picture/shrink-picture.ts'

/** A picture file and the part it belongs to. */
export type BatchRow = {
  key: string
  file: PickedFile
  match: PictureMatch
  /** The part; undefined if none matches, or until the user chooses among several. */
  listingId: string | undefined
}

type Reading = { step: 'idle' } | { step: 'reading' } | { step: 'matching'; done: number; total: number }

/** The longest path that the server accepts; its end names the part. */
const MAX_NAME = 500

const newQueue = () =>
  new PictureQueue({
    onDone(upload) {
      void queryClient.invalidateQueries({ queryKey: ['listings'], refetchType: 'none' })
      keepAddedPictures(readAddedPictures().add(nameOfAdded(upload)))
    },
  })

const nameOfAdded = ({ key, listingId }: Pick<BatchRow, 'key' | 'listingId'>) => `${listingId} ${key}`

export type PictureBatch = ReturnType<typeof usePictureBatch>

/** Pictures for many parts: read, matched by name, then uploaded. */
export function usePictureBatch() {
  const [rows, setRows] = useState<readonly BatchRow[]>([])
  const [others, setOthers] = useState(0)
  const [reading, setReading] = useState<Reading>({ step: 'idle' })
  const [problem, setProblem] = useState<string>()
  const [queue, setQueue] = useState(newQueue)
  const addedBefore = useAddedBefore()
  const { uploads, paused } = usePictureQueue(queue)
  const states = new Map(uploads.map((upload) => [upload.key, upload.state]))

  const add = async (picking: Promise<PickedFile[]>) => {
    setProblem(undefined)
    setReading({ step: 'reading' })
    try {
      const picked = await picturesAmong(await picking)
      const files = newAmong(picked.pictures, rows)
      const found = await matched(files, (done) =>
        setReading({ step: 'matching', done, total: files.length }),
      )
      setRows([...rows, ...found])
      setOthers(others + picked.others)
      if (picked.pictures.length === 0) setProblem('None of these files are pictures.')
    } catch (error) {
      setProblem(problemOf(error))
    } finally {
      setReading({ step: 'idle' })
    }
  }

  const unsent = rows.filter(({ key, listingId }) => listingId !== undefined && !states.has(key))
  const ready = unsent.filter((row) => !addedBefore.has(row))
  return {
    rows,
    /** The number of files that aren't pictures. */
    others,
    reading,
    problem,
    add,
    states,
    uploads,
    paused,
    isRunning: uploads.some(isUnderway),
    /** Uploaded before the page was reloaded. */
    addedBefore: unsent.filter(addedBefore.has),
    /** Has a part and is not uploaded yet. */
    ready,
    /** Also chooses the part for other pictures with this stock number that have none yet. */
    choose(row: BatchRow, listingId: string | undefined): void {
      const matches = (other: BatchRow) =>
        other === row || (other.match.stock === row.match.stock && other.listingId === undefined)
      setRows(rows.map((other) => (matches(other) ? { ...other, listingId } : other)))
    },
    start: () => queue.put(ready.flatMap(queued)),
    setPaused: (next: boolean) => queue.setPaused(next),
    retry(key?: string): void {
      queue.retry(key)
      sendWaitingNow()
    },
    /** Cancels the uploads and starts over with an empty list. */
    clear(): void {
      addedBefore.forget()
      queue.drop(uploads.map(({ key }) => key))
      setQueue(newQueue())
      setRows([])
      setOthers(0)
      setProblem(undefined)
    },
  }
}

/** Leaves out files that are already in the list, and duplicates. */
function newAmong(files: readonly PickedFile[], rows: readonly BatchRow[]): PickedFile[] {
  const known = new Set(rows.map(({ key }) => key))
  return files.filter(({ key }) => !known.has(key) && known.add(key))
}

/** Pictures this tab uploaded before a reload; later uploads have a state. */
function useAddedBefore() {
  const [added, setAdded] = useState<ReadonlySet<string>>(readAddedPictures)
  return {
    has: (row: BatchRow) => added.has(nameOfAdded(row)),
    forget(): void {
      keepAddedPictures(new Set())
      setAdded(new Set())
    },
  }
}

function problemOf(error: unknown): string {
  if (error instanceof PictureProblem) return error.message
  if (error instanceof DOMException) return 'The files could not be read. Choose them again.'
  return errorSentence(error, 'The files could not be matched with your parts. Please try again.')
}

/** The part of each file, by its name, asked for a thousand names at a time. */
async function matched(
  files: readonly PickedFile[],
  onProgress: (done: number) => void,
): Promise<BatchRow[]> {
  const rows: BatchRow[] = []
  for (let from = 0; from < files.length; from += MAX_MATCHED_NAMES) {
    onProgress(from)
    const some = files.slice(from, from + MAX_MATCHED_NAMES)
    const names = some.map(({ path }) => path.slice(-MAX_NAME))
    const { matches } = await call(pictureEndpoints.matchPictures, { body: { names } })
    for (const [at, match] of matches.entries()) {
      const file = some[at]
      const [first, ...more] = match.listings
      if (file)
        rows.push({ key: file.key, file, match, listingId: more.length === 0 ? first?.id : undefined })
    }
  }
  return rows
}

const queued = ({ key, file, listingId }: BatchRow) =>
  listingId === undefined ? [] : [{ key, listingId, name: file.path, open: file.open }]

/** "1 picture", "2,000 pictures". */
export const picturesInWords = (count: number): string =>
  `${count.toLocaleString('en-US')} ${count === 1 ? 'picture' : 'pictures'}`

/** Pictures by what happened to them. */
export function tally(uploads: readonly PictureUpload[]) {
  const done = uploads.filter(({ state }) => state.step === 'done')
  return {
    done: done.length,
    failed: uploads.filter(({ state }) => state.step === 'failed').length,
    parts: new Set(done.map(({ listingId }) => listingId)).size,
    /** Counts uploads in progress by their share, so that the bar moves. */
    share:
      uploads.reduce(
        (sum, { state }) =>
          sum +
          (state.step === 'sending' ? state.sent : Number(state.step === 'done' || state.step === 'failed')),
        0,
      ) / Math.max(1, uploads.length),
  }
}

import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { type OwnPicture, type PictureList, pictureEndpoints } from '#contract/pictures.ts'
import { call, queryClient } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { sendWaitingNow } from '#web/api/patience.ts'
import { notifyError } from '#web/components/toasts.tsx'
import {
  dropUploads,
  listingUploads,
  newKey,
  picturesKey,
  resumeUploads,
  uploadsOf,
} from './listing-uploads.ts'
import { type DeskPicture, type PictureDesk, roomFor, useRemoval } from './picture-desk-state.ts'
import { type PictureUpload, type QueuedPicture, usePictureQueue } from './picture-queue.ts'

/** The pictures of a listing. Every change is saved at once, and uploads from an earlier page are resumed. */
export function useListingPictures(listingId: string) {
  const query = useQuery({
    queryKey: picturesKey(listingId),
    queryFn: ({ signal }) => call(pictureEndpoints.listPictures, { params: { id: listingId }, signal }),
    staleTime: 0,
    // The page may show changes that are not saved yet.
    refetchOnWindowFocus: false,
  })
  const uploads = usePictureQueue(listingUploads).uploads.filter((upload) => upload.listingId === listingId)
  useEffect(() => void resumeUploads(listingId), [listingId])
  const [notices, setNotices] = useState<readonly string[]>([])
  const [hidden, setHidden] = useState<string>()
  const saving = useListOrder(listingId)

  const removal = useRemoval<OwnPicture>({
    undo: () => setHidden(undefined),
    commit(picture) {
      setHidden((now) => (now === picture.id ? undefined : now))
      saving.remove(picture)
    },
  })

  const all = query.data?.pictures ?? []
  const shown = all.filter(({ id }) => id !== hidden)
  const underway = uploads.filter(({ state }) => state.step !== 'done')

  const desk: PictureDesk = {
    pictures: [...shown.map(savedPicture), ...underway.map(underwayPicture)],
    notices,
    removed: removal.removed,
    add(files) {
      // Makes room: the server still counts a picture that is only hidden.
      removal.finish()
      const { taken, notice } = roomFor(files, shown.length + underway.length)
      setNotices(notice === undefined ? [] : [notice])
      saving.touch()
      const queued = taken.map((file) => queuedFile(listingId, file))
      void saving.settled().then(() => listingUploads.put(queued))
    },
    move(id, to) {
      const picture = shown.find((each) => each.id === id)
      if (!picture) return
      const others = all.filter((each) => each.id !== id)
      saving.order(others.toSpliced(Math.min(to, shown.length - 1), 0, picture))
    },
    async edit(id, { alt, marks }) {
      const body = { alt, marks: [...marks] }
      const edited = await call(pictureEndpoints.editPicture, { params: { id }, body })
      saving.touch()
      changeList(listingId, (pictures) => pictures.map((each) => (each.id === id ? edited : each)))
    },
    remove(id) {
      const upload = underway.find(({ key }) => key === id)
      if (upload) return cancel(upload)
      const position = all.findIndex((each) => each.id === id)
      const picture = all[position]
      if (!picture) return
      removal.remove(picture, position)
      setHidden(id)
    },
    retry(id) {
      listingUploads.retry(id)
      sendWaitingNow()
    },
  }
  return { desk, query, wasChanged: saving.wasTouched }
}

const queuedFile = (listingId: string, file: File): QueuedPicture => ({
  key: newKey(),
  listingId,
  name: file.name,
  open: async () => file,
})

/** A picture that was being sent may have arrived. */
function cancel(upload: PictureUpload): void {
  dropUploads([upload])
  if (upload.state.step === 'sending') void refresh(upload.listingId)
}

const refresh = (listingId: string) => queryClient.invalidateQueries({ queryKey: picturesKey(listingId) })

function changeList(listingId: string, change: (pictures: OwnPicture[]) => OwnPicture[]): void {
  queryClient.setQueryData<PictureList>(
    picturesKey(listingId),
    (list) => list && { ...list, pictures: change(list.pictures) },
  )
}

const orderOf = (pictures: readonly OwnPicture[]) => pictures.map(({ id }) => id)

/** Saves order and removals one after the other, and shows them before they are saved. */
function useListOrder(listingId: string) {
  const line = useRef<Promise<unknown>>(Promise.resolve())
  const touched = useRef(false)
  const touch = () => {
    touched.current = true
  }
  const params = { id: listingId }
  const read = () => call(pictureEndpoints.listPictures, { params })
  const failed = async (error: unknown, words: string) => {
    notifyError(error, words, { about: 'pictures' })
    await refresh(listingId)
  }
  const inLine = (work: () => Promise<unknown>, words: string) => {
    touch()
    line.current = line.current.then(work).catch((error: unknown) => failed(error, words))
    line.current = line.current.then(() => queryClient.invalidateQueries({ queryKey: ['listings'] }))
  }

  const send = async (ids: string[]) => {
    // Another picture was moved in the meantime.
    const now = queryClient.getQueryData<PictureList>(picturesKey(listingId))
    if (now && String(orderOf(now.pictures).filter((id) => ids.includes(id))) !== String(ids)) return
    try {
      await call(pictureEndpoints.orderPictures, { params, body: { ids } })
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'CONFLICT') throw error
      // A picture was added or removed in the meantime: keep the wanted order for the others.
      const there = orderOf((await read()).pictures)
      const wanted = ids.filter((id) => there.includes(id))
      const body = { ids: [...wanted, ...there.filter((id) => !ids.includes(id))] }
      const { pictures } = await call(pictureEndpoints.orderPictures, { params, body })
      changeList(listingId, () => pictures)
    }
  }

  return {
    touch,
    wasTouched: () => touched.current || uploadsOf(listingId).length > 0,
    /** Resolves when everything so far is saved. */
    settled: () => line.current,
    order(pictures: OwnPicture[]): void {
      changeList(listingId, () => pictures)
      inLine(() => send(orderOf(pictures)), 'The order could not be saved. Please try again.')
    },
    remove({ id }: OwnPicture): void {
      changeList(listingId, (pictures) => pictures.filter((each) => each.id !== id))
      inLine(
        () => call(pictureEndpoints.removePicture, { params: { id } }),
        'The picture could not be removed. Please try again.',
      )
    },
  }
}

const savedPicture = ({ id, url, alt, marks, problem }: OwnPicture): DeskPicture => ({
  id,
  name: '',
  thumb: url === null ? undefined : `${url}&width=440`,
  full: url ?? undefined,
  alt,
  marks,
  problem,
  upload: undefined,
})

function underwayPicture({ key, name, prepared, alt = '', marks = [], state }: PictureUpload): DeskPicture {
  return {
    id: key,
    name,
    thumb: prepared?.thumb ?? prepared?.file,
    full: prepared?.file,
    alt,
    marks,
    problem: null,
    upload: state.step === 'done' ? undefined : state,
  }
}

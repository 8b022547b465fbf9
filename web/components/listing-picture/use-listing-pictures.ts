import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef } from 'react'
import { type PictureList, pictureEndpoints } from '#contract/pictures.ts'
import { call, queryClient } from '#web/api/client.ts'
import { ApiError } from '#web/api/failures.ts'
import { sendWaitingNow } from '#web/api/patience.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import type { FormPicture } from './form-pictures.ts'
import {
  dropUploads,
  listingUploads,
  picturesKey,
  resumeUploads,
  sendToListing,
  uploadsOf,
} from './listing-uploads.ts'
import type { DeskPicture, PictureDesk } from './picture-desk-state.ts'
import { isUnderway, type PictureUpload, usePictureQueue } from './picture-queue.ts'

type ListingPictures = {
  /** The form's pictures. */
  desk: PictureDesk
  /** Called with the server's pictures, and those of the form that have reached it, by key. */
  onRead: (pictures: PictureList['pictures'], arrived: ReadonlyMap<string, string>) => void
  /** Groups the form's toasts. */
  about: string
}

/** The pictures of a listing in its form. They change when the form is saved; uploads of an earlier save are resumed. */
export function useListingPictures(listingId: string, { desk, onRead, about }: ListingPictures) {
  const query = useQuery({
    queryKey: picturesKey(listingId),
    queryFn: ({ signal }) => call(pictureEndpoints.listPictures, { params: { id: listingId }, signal }),
    staleTime: 0,
    refetchOnWindowFocus: false,
  })
  const uploads = usePictureQueue(listingUploads).uploads.filter((upload) => upload.listingId === listingId)
  useEffect(() => void resumeUploads(listingId), [listingId])
  const saved = useRef(false)
  const read = useEffectEvent(onRead)
  const { data } = query
  useEffect(() => {
    if (data) read(data.pictures, arrivedOf(listingId))
  }, [data, listingId])

  const sending = new Map(uploads.flatMap((each) => (each.state.step === 'done' ? [] : [[each.key, each]])))
  const chosen = new Set(desk.pictures.map(({ id }) => id))
  const earlier = [...sending.values()].filter(({ key }) => !chosen.has(key))
  const shown: PictureDesk = {
    ...desk,
    pictures: [
      ...desk.pictures.map((picture) => withUpload(picture, sending.get(picture.id))),
      ...earlier.map(underwayPicture),
    ],
    remove(id) {
      const upload = sending.get(id)
      if (upload) cancel(upload)
      desk.remove(id)
    },
    retry(id) {
      listingUploads.retry(id)
      sendWaitingNow()
    },
  }
  return {
    desk: shown,
    query,
    /** The cover, or `known` until the pictures are loaded. */
    coverOr: (known: string | undefined) =>
      shown.pictures.find(({ full }) => full !== undefined)?.full ?? (data ? undefined : known),
    /** Whether pictures were saved since the form was opened: each is a new version of the listing. */
    wasChanged: () => saved.current || uploads.length > 0,
    /** Returns false if new pictures could not be added; a toast reports it. */
    async save(before: readonly FormPicture[], now: readonly FormPicture[]): Promise<boolean> {
      saved.current = true
      try {
        const unsent = await savePictures(listingId, before, now)
        const what = unsent === 1 ? '1 picture was' : `${unsent} pictures were`
        if (unsent > 0)
          notifyProblem(`The listing is saved, but ${what} not added. Press Save to try again.`, { about })
        return unsent === 0
      } finally {
        await refresh(listingId)
        void queryClient.invalidateQueries({ queryKey: ['listings'] })
      }
    },
    /** Cancels uploads that failed. */
    discard: () => dropUploads(uploadsOf(listingId).filter(({ state }) => state.step === 'failed')),
  }
}

const refresh = (listingId: string) => queryClient.invalidateQueries({ queryKey: picturesKey(listingId) })

/** A picture that was being sent may have arrived. */
function cancel(upload: PictureUpload): void {
  dropUploads([upload])
  if (upload.state.step === 'sending') void refresh(upload.listingId)
}

const arrivedOf = (listingId: string): Map<string, string> =>
  new Map(
    uploadsOf(listingId).flatMap(({ key, state }) =>
      state.step === 'done' ? [[key, state.picture.id] as const] : [],
    ),
  )

/** Sends what differs. Removals go first, because a listing has a maximum number of pictures. */
async function savePictures(
  listingId: string,
  before: readonly FormPicture[],
  now: readonly FormPicture[],
): Promise<number> {
  const kept = new Set(now.map(({ key }) => key))
  for (const { key } of before) if (!kept.has(key)) await removeSaved(key)
  const added = now.filter(({ saved }) => saved === undefined)
  for (const { key, alt, marks, saved } of now) {
    if (!saved || (saved.alt === alt && saved.marks === marks)) continue
    await call(pictureEndpoints.editPicture, { params: { id: key }, body: { alt, marks: [...marks] } })
  }
  if (added.length > 0) await upload(listingId, added)
  const arrived = arrivedOf(listingId)
  const unsent = added.filter(({ key }) => !arrived.has(key))
  if (unsent.length > 0) return unsent.length
  const idOf = ({ key }: FormPicture) => arrived.get(key) ?? key
  const wanted = [...new Set(now.map(idOf))]
  const there = [...new Set([...before.filter(({ key }) => kept.has(key)), ...added].map(idOf))]
  if (String(wanted) !== String(there)) await sendOrder(listingId, wanted)
  return 0
}

async function removeSaved(id: string): Promise<void> {
  try {
    await call(pictureEndpoints.removePicture, { params: { id } })
  } catch (error) {
    // Someone else removed it.
    if (!(error instanceof ApiError) || error.status !== 404) throw error
  }
}

/** Uploads new pictures; resolves when all uploads have ended. Those that failed in an earlier save are sent again. */
async function upload(listingId: string, added: readonly FormPicture[]): Promise<void> {
  const keys = new Set(added.map(({ key }) => key))
  const own = () => uploadsOf(listingId).filter(({ key }) => keys.has(key))
  dropUploads(own().filter(({ state }) => state.step === 'failed'))
  await sendToListing(listingId, added)
  const { promise, resolve } = Promise.withResolvers<void>()
  const check = () => {
    if (!own().some(isUnderway)) resolve()
  }
  const stop = listingUploads.subscribe(check)
  check()
  await promise.finally(stop)
}

async function sendOrder(listingId: string, ids: readonly string[]): Promise<void> {
  const params = { id: listingId }
  try {
    await call(pictureEndpoints.orderPictures, { params, body: { ids: [...ids] } })
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'CONFLICT') throw error
    // Someone else added or removed a picture: keep the wanted order for the others.
    const { pictures } = await call(pictureEndpoints.listPictures, { params })
    const there = pictures.map(({ id }) => id)
    const wanted = ids.filter((id) => there.includes(id))
    const body = { ids: [...wanted, ...there.filter((id) => !ids.includes(id))] }
    await call(pictureEndpoints.orderPictures, { params, body })
  }
}

const withUpload = (picture: DeskPicture, upload: PictureUpload | undefined): DeskPicture =>
  upload && upload.state.step !== 'done' ? { ...picture, upload: upload.state } : picture

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

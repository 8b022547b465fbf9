import { useSyncExternalStore } from 'react'
import { type OwnPicture, type PictureMark, pictureEndpoints } from '#contract/pictures.ts'
import { call } from '#web/api/client.ts'
import { ApiError, errorSentence, NetworkError } from '#web/api/failures.ts'
import { sendPatiently, type WaitsFor } from '#web/api/patience.ts'
import { PictureProblem, type PreparedPicture, preparePicture } from './shrink-picture.ts'

/** A picture for a listing that exists. */
export type QueuedPicture = {
  key: string
  listingId: string
  /** The file's name, to show to people. */
  name: string
  /** Reads the file only when it is needed, so that a queue of hundreds keeps none in memory. */
  open: () => Promise<File>
  prepared?: PreparedPicture | undefined
  alt?: string
  marks?: readonly PictureMark[]
}

export type UploadState =
  | { step: 'waiting' }
  | { step: 'preparing' }
  | { step: 'sending'; sent: number; waitsFor: WaitsFor }
  | { step: 'done'; picture: OwnPicture }
  /** `again`: another attempt may work. */
  | { step: 'failed'; why: string; again: boolean }

export type PictureUpload = QueuedPicture & { state: UploadState }

type Sending = {
  signal: AbortSignal
  onWait: (waitsFor: WaitsFor) => void
  /** 0 to 1. */
  onProgress: (sent: number) => void
}

type QueueOptions = {
  /** How many listings are uploaded to at the same time. */
  most?: number
  /** Prepares every picture at once, for a queue that is stored on the device; otherwise only a few are in memory. */
  preparesAll?: boolean
  prepare?: (file: File) => Promise<PreparedPicture>
  send?: (picture: QueuedPicture, file: File, sending: Sending) => Promise<OwnPicture>
  onPrepared?: (picture: PictureUpload) => void
  onDone?: (picture: PictureUpload, added: OwnPicture) => void
}

type QueueView = { uploads: readonly PictureUpload[]; paused: boolean }

/**
 * Uploads pictures to their listings: one at a time per listing, which keeps their order, and to several listings at once.
 * Waits out a lost connection. A request without a reply is sent again with the same Idempotency-Key, and the server does not
 * add a picture that the listing already has, so none is added twice.
 */
export class PictureQueue {
  readonly #use: Required<QueueOptions>
  readonly #uploads = new Map<string, PictureUpload>()
  /** Aborts the uploads in progress, by key. */
  readonly #running = new Map<string, AbortController>()
  readonly #preparing = new Map<string, Promise<PreparedPicture>>()
  readonly #listeners = new Set<() => void>()
  #view: QueueView = { uploads: [], paused: false }

  constructor(options: QueueOptions = {}) {
    const nothing = () => undefined
    this.#use = {
      most: 3,
      preparesAll: false,
      prepare: preparePicture,
      send: sendPicture,
      onPrepared: nothing,
      onDone: nothing,
      ...options,
    }
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  readonly view = (): QueueView => this.#view

  /** Ignores pictures that are already in the queue. */
  put(pictures: readonly QueuedPicture[]): void {
    for (const picture of pictures) {
      if (this.#uploads.has(picture.key)) continue
      this.#uploads.set(picture.key, { ...picture, state: { step: 'waiting' } })
    }
    this.#show()
    this.#next()
    if (this.#use.preparesAll) for (const picture of pictures) this.#prepareAhead(picture)
  }

  /** Retries failed uploads: one picture, or all. */
  retry(key?: string): void {
    for (const { key: each, state } of [...this.#uploads.values()]) {
      const matches = key === undefined || key === each
      if (matches && state.step === 'failed') this.#change(each, { state: { step: 'waiting' } })
    }
    this.#next()
  }

  /** Cancels these uploads, or forgets finished ones. */
  drop(keys: readonly string[]): void {
    for (const key of keys) {
      this.#uploads.delete(key)
      this.#preparing.delete(key)
      this.#running.get(key)?.abort()
      this.#running.delete(key)
    }
    this.#show()
    this.#next()
  }

  /** While paused, uploads in progress finish but no new one starts. */
  setPaused(paused: boolean): void {
    this.#show(paused)
    this.#next()
  }

  #show(paused = this.#view.paused): void {
    this.#view = { uploads: [...this.#uploads.values()], paused }
    for (const notify of this.#listeners) notify()
  }

  #change(key: string, changes: Partial<PictureUpload>): void {
    const upload = this.#uploads.get(key)
    if (!upload) return
    this.#uploads.set(key, { ...upload, ...changes })
    this.#show()
  }

  #findWaiting(isNext: (upload: PictureUpload) => boolean): PictureUpload | undefined {
    return [...this.#uploads.values()].find((upload) => upload.state.step === 'waiting' && isNext(upload))
  }

  /** Starts the uploads that may run now. */
  #next(): void {
    while (!this.#view.paused && this.#running.size < this.#use.most) {
      const busy = new Set([...this.#running.keys()].map((key) => this.#uploads.get(key)?.listingId))
      const isFree = ({ listingId }: PictureUpload) => !busy.has(listingId)
      const isReady = ({ key, prepared }: PictureUpload) => prepared !== undefined || this.#preparing.has(key)
      // Prepared pictures go first, or every listing would keep one in memory.
      const upload = this.#findWaiting((each) => isFree(each) && isReady(each)) ?? this.#findWaiting(isFree)
      if (!upload) return
      void this.#run(upload)
    }
  }

  async #run(upload: PictureUpload): Promise<void> {
    const { key } = upload
    const controller = new AbortController()
    this.#running.set(key, controller)
    this.#change(key, { state: { step: 'preparing' } })
    try {
      await this.#send(upload, controller.signal)
    } catch (error) {
      const state = failure(error)
      const isOver = state.step === 'failed' && !state.again
      if (!controller.signal.aborted) this.#change(key, { state, ...(isOver && { prepared: undefined }) })
    } finally {
      if (this.#running.get(key) === controller) this.#running.delete(key)
      this.#next()
    }
  }

  async #send(upload: PictureUpload, signal: AbortSignal): Promise<void> {
    const { key, listingId } = upload
    const { file } = await this.#prepare(upload)
    signal.throwIfAborted()
    // Prepare the listing's next picture while this one is uploading.
    const following = this.#findWaiting((other) => other.listingId === listingId)
    if (following && !this.#view.paused) this.#prepareAhead(following)
    const state = { step: 'sending', sent: 0, waitsFor: 'nobody' } as const
    this.#change(key, { state })
    const picture = await this.#use.send(upload, file, {
      signal,
      onWait: (waitsFor) => this.#change(key, { state: { ...state, waitsFor } }),
      onProgress: (sent) => this.#change(key, { state: { ...state, sent } }),
    })
    // Drop the prepared picture: hundreds of them would fill a phone's memory.
    this.#change(key, { prepared: undefined, state: { step: 'done', picture } })
    this.#use.onDone(upload, picture)
  }

  /** A failure is shown when the picture's turn comes. */
  #prepareAhead(picture: QueuedPicture): void {
    this.#prepare(picture).catch(() => undefined)
  }

  async #prepare(upload: QueuedPicture): Promise<PreparedPicture> {
    const { key } = upload
    const known = this.#uploads.get(key)?.prepared
    if (known) return known
    const work = this.#preparing.get(key) ?? this.#startPreparing(upload)
    try {
      return await work
    } finally {
      this.#preparing.delete(key)
    }
  }

  #startPreparing(upload: QueuedPicture): Promise<PreparedPicture> {
    const { key } = upload
    const work = upload
      .open()
      .then(this.#use.prepare)
      .then((prepared) => {
        this.#change(key, { prepared })
        const now = this.#uploads.get(key)
        if (now) this.#use.onPrepared(now)
        return prepared
      })
    this.#preparing.set(key, work)
    return work
  }
}

export const usePictureQueue = (queue: PictureQueue) => useSyncExternalStore(queue.subscribe, queue.view)

/** Whether a picture is neither uploaded nor failed. */
export const isUnderway = ({ state }: PictureUpload): boolean =>
  state.step !== 'done' && state.step !== 'failed'

/** Adds the picture, then its description and marks. */
async function sendPicture(
  { listingId, alt = '', marks = [] }: QueuedPicture,
  file: File,
  { signal, onWait, onProgress }: Sending,
): Promise<OwnPicture> {
  const patience = { signal, onWait }
  const params = { id: listingId }
  const added = await sendPatiently(
    () => call(pictureEndpoints.addPicture, { params, body: {}, file, signal, onProgress }),
    patience,
  )
  if (alt === '' && marks.length === 0) return added
  const body = { alt, marks: [...marks] }
  return sendPatiently(
    () => call(pictureEndpoints.editPicture, { params: { id: added.id }, body, signal }),
    patience,
  )
}

const noConnection = 'No connection to the server.'
const notAdded = 'The picture could not be added.'
const fileGone = 'The file was moved or changed. Choose it again.'

function failure(error: unknown): UploadState {
  if (error instanceof PictureProblem) return { step: 'failed', why: error.message, again: false }
  // The browser's own errors: reading the file failed.
  if (error instanceof DOMException) return { step: 'failed', why: fileGone, again: true }
  const isRefused = error instanceof ApiError && error.status < 500 && ![401, 429].includes(error.status)
  const otherwise = error instanceof NetworkError ? noConnection : notAdded
  return { step: 'failed', why: errorSentence(error, otherwise), again: !isRefused }
}

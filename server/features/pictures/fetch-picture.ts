import pRetry from 'p-retry'
import { AppError } from '#server/platform/errors.ts'
import type { FileStore } from '#server/platform/files/file-store.ts'
import { type GuardedFetch, NotFetched } from '#server/platform/net/guarded-fetch.ts'
import type { StoredPicture } from './store-picture.ts'
import { storePictureWithSizes } from './store-picture-with-sizes.ts'

/** What the wizard tells sellers: about as much as a good photo takes. */
const MOST_BYTES = 1.5 * 1024 * 1024

// A server that is busy, or restarts, is asked again after a second and after two more.
const AGAIN = { retries: 2, minTimeout: 1_000, factor: 2 } as const

export type FetchDeps = { readonly files: FileStore; readonly web: GuardedFetch }

/**
 * Fetches a picture that a file names, makes our own of it and stores that. Answers in words why there is none where it
 * cannot be had or read; only what is wrong with us is thrown.
 */
export async function fetchPicture(
  { files, web }: FetchDeps,
  url: string,
  signal: AbortSignal,
): Promise<StoredPicture | NotFetched> {
  try {
    const bytes = await pRetry(() => web.bytes(url, { mostBytes: MOST_BYTES, signal }), {
      ...AGAIN,
      signal,
      shouldRetry: ({ error }) => error instanceof NotFetched && error.passes,
    })
    return await storePictureWithSizes(files, bytes)
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof NotFetched) return error
    if (error instanceof AppError && PICTURES_FAULT.has(error.code)) return new NotFetched(error.message)
    throw error
  }
}

const PICTURES_FAULT: ReadonlySet<string> = new Set(['TOO_LARGE', 'WRONG_TYPE', 'VALIDATION_FAILED'])

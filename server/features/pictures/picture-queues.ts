import { z } from 'zod'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

/** Makes the smaller widths of a picture that was just stored. */
export const pictureSizesQueue: JobQueue<{ sha256: string }> = {
  name: 'picture-sizes',
  title: 'Picture sizes',
  payload: z.object({ sha256: z.string().regex(/^[0-9a-f]{64}$/) }),
  // A full disk may have room again soon; until then the picture is served in its full size.
  maxAttempts: 8,
  retryDelaySeconds: 15,
  resumable: true,
  // Two small pictures take half a second.
  timeoutSeconds: 120,
  // The decoder takes two at once in a process; the other place is for whoever looks at a page.
  concurrency: 1,
}

/** Removes the files of pictures that no listing has. */
export const sweepPicturesQueue: JobQueue<Record<string, never>> = {
  name: 'sweep-pictures',
  title: 'Sweep pictures',
  payload: z.object({}).strict(),
  maxAttempts: 1,
  retryDelaySeconds: 60,
  resumable: true,
  // A million files on a slow bucket.
  timeoutSeconds: 3_600,
  concurrency: 1,
}

/** Fetches the pictures that a seller's files name by their address; enqueued when an import has gone live. */
export const fetchPicturesQueue: JobQueue<{ sellerId: string }> = {
  name: 'fetch-pictures',
  title: 'Fetch pictures',
  payload: z.object({ sellerId: z.uuid() }).strict(),
  // Other servers' faults do not fail it; what does is our disk or database, which pass.
  maxAttempts: 5,
  retryDelaySeconds: 30,
  resumable: true,
  // A hundred thousand pictures at two a second.
  timeoutSeconds: 24 * 3_600,
  // It waits for the network nearly all of its time.
  concurrency: 3,
  // A second one of a seller would ask the same servers for the same pictures.
  keyOf: ({ sellerId }) => `fetch-pictures:${sellerId}`,
}

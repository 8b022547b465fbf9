import { z } from 'zod'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

type AskedLink = {
  /** Null where the e-mail has no account: that is a job, too, so that asking takes the same work for every address. */
  userId: string | null
  /** Who asked, in words of ours. */
  device: string
}

export const sendResetLinkQueue: JobQueue<AskedLink> = {
  name: 'send-reset-link',
  title: 'Send password links',
  payload: z.object({ userId: z.uuid().nullable(), device: z.string().max(60) }),
  maxAttempts: 5,
  retryDelaySeconds: 5,
  // Token and mail are written in one transaction, with the fence of the run.
  resumable: true,
  timeoutSeconds: 30,
  concurrency: 2,
}

import { z } from 'zod'
import type { JobQueue } from '#server/platform/jobs/job-definition.ts'

export const sendMailQueue: JobQueue<{ mailId: string }> = {
  name: 'send-mail',
  title: 'Send mail',
  payload: z.object({ mailId: z.uuid() }),
  // With the pauses about five hours: servers that ask to come back later (greylisting) or restart are waited out.
  maxAttempts: 12,
  retryDelaySeconds: 30,
  // A mail that went out just before its worker was lost goes out again; its Message-ID is the same, so that the
  // receiver can tell. The other way round somebody would wait in vain.
  resumable: true,
  timeoutSeconds: 60,
  concurrency: 4,
}

import { AppError } from '#server/platform/app-error.ts'

/* Why a chunk is not taken into work, in words. */

// The other call is done within seconds, or it goes silent and the next one takes over.
const RETRY_SECONDS = 2

/** Somebody works on the chunk: another call, or the one that took it over while this process slept. */
export const stillRunning = () =>
  new AppError('STILL_RUNNING', 'This chunk is still being worked on. Send it again in a moment.', {
    retryAfterSeconds: RETRY_SECONDS,
  })

export const otherChunkCount = (known: number, sent: number) =>
  keyReused(
    'chunkCount',
    `This import has ${known} chunks, and now chunkCount says ${sent}. Use a new idempotencyKey for another file.`,
  )

export const otherTerms = () =>
  keyReused('idempotencyKey', 'This idempotencyKey belongs to another file or mapping. Use a new one.')

export const otherContent = (chunkIndex: number, chunkCount: number) =>
  keyReused(
    'idempotencyKey',
    chunkCount === 1
      ? 'This idempotencyKey belongs to another file. Use a new one.'
      : `This idempotencyKey belongs to another file: its chunk ${chunkIndex} had other content. Use a new one.`,
  )

export const givenUp = () =>
  keyReused(
    'idempotencyKey',
    'This import was given up, since no chunk of it came for days. Send the file again with a new idempotencyKey.',
  )

/** 410: of this call 409 says that onboarding is missing, and nothing else. */
export const withdrawn = () =>
  new AppError(
    'WITHDRAWN',
    'This import was withdrawn, so no more of it is taken. To import the file after all, send it again with a new idempotencyKey.',
  )

function keyReused(field: string, sentence: string): AppError {
  return new AppError('KEY_REUSED', sentence, { fields: { [field]: sentence } })
}

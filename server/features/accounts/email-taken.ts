import { AppError } from '#server/platform/errors.ts'

/** Registration and profile tell of a taken e-mail in the same words, beside the same field. */
export function emailTaken(cause?: unknown): AppError {
  const sentence = 'That e-mail is already registered'
  return new AppError('CONFLICT', sentence, { fields: { email: sentence }, cause })
}

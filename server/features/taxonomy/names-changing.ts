import { AppError } from '#server/platform/app-error.ts'

const RETRY_SECONDS = 30

/** Lookups were changed during each try to resolve a file, which itself nobody touched. It passes. */
export class NamesChanging extends AppError {
  constructor() {
    super(
      'BUSY',
      'Categories, manufacturers or models are being changed all the while, so no name was resolved. Please try again when that is done.',
      { retryAfterSeconds: RETRY_SECONDS },
    )
  }
}

type Facts = {
  /** The next record would fail in the same way: a wrong key, a spent quota, the cap of the job. */
  readonly endsJob: boolean
  /** Worth another try: no answer, too many calls, a failure of theirs. */
  readonly mayPass: boolean
  /** How long the provider wants to be left alone. */
  readonly waitMs?: number | undefined
  /** The status of its answer; undefined where none came. */
  readonly status?: number | undefined
  readonly cause?: unknown
}

/** The provider of the language model did not answer, or refused; says nothing about the record that was to be written. */
export class WritingFailure extends Error {
  override name = 'WritingFailure'
  readonly endsJob: boolean
  readonly mayPass: boolean
  readonly waitMs: number | undefined
  readonly status: number | undefined

  constructor(message: string, { endsJob, mayPass, waitMs, status, cause }: Facts) {
    super(message, { cause })
    this.endsJob = endsJob
    this.mayPass = mayPass
    this.waitMs = waitMs
    this.status = status
  }
}

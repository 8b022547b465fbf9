type Facts = {
  /** The provider's own word for what is wrong: `resource_missing`. */
  code: string | undefined
  /** The status of its answer; undefined where none came in time. */
  status: number | undefined
  /** Which parameter it is about. */
  param?: string | undefined
  /** What it is worth trying again for: no answer, too many calls, a failure of theirs. */
  mayPass: boolean
  cause: unknown
}

// What the provider answers while the first call with this key is under way.
const UNDER_WAY = 409
const TOO_MANY_CALLS = 429

/** The provider did not answer, or refused. Its words are for the log; a person is told the sentence of the button. */
export class ProviderFailure extends Error {
  override name = 'ProviderFailure'
  readonly code: string | undefined
  readonly status: number | undefined
  readonly param: string | undefined
  readonly mayPass: boolean

  constructor(message: string, { code, status, param, mayPass, cause }: Facts) {
    super(message, { cause })
    this.code = code
    this.status = status
    this.param = param
    this.mayPass = mayPass
  }

  /** There is no such object, or none of ours. */
  get isMissing(): boolean {
    return this.code === 'resource_missing'
  }

  /** The payout account asked for is gone. Of one that does not exist the provider says no more than of a stranger's. */
  get isAccountMissing(): boolean {
    return this.code === 'account_invalid' || (this.isMissing && this.param === 'account')
  }

  /** Another call with the same key is being answered at this moment: the second of two clicks. */
  get isUnderWay(): boolean {
    return this.status === UNDER_WAY
  }

  /** The key of the request was used for another one, with other parameters. */
  get isKeyUsed(): boolean {
    return this.code === 'idempotency_error'
  }

  /**
   * The provider remembers this answer with the request's key and would give it again and again: the next try needs
   * another key. Where no answer came, it may have done what was asked, and only the same key finds that out.
   */
  get isRemembered(): boolean {
    return this.status !== undefined && this.status !== UNDER_WAY && this.status !== TOO_MANY_CALLS
  }
}

/** What Stripe says besides the sentence. */
export type ErrorFacts = {
  readonly type?: 'invalid_request_error' | 'idempotency_error' | 'card_error' | 'api_error'
  readonly code?: string
  readonly param?: string
  readonly decline_code?: string
}

/** A refusal in the shape of Stripe's API. */
export class StripeError extends Error {
  override name = 'StripeError'
  readonly status: number
  readonly facts: ErrorFacts

  constructor(status: number, message: string, facts: ErrorFacts = {}) {
    super(message)
    this.status = status
    this.facts = facts
  }

  toBody(): object {
    const { type = 'invalid_request_error', code, ...facts } = this.facts
    const docs = code && { code, doc_url: `https://stripe.com/docs/error-codes/${code.replaceAll('_', '-')}` }
    return { error: { ...docs, message: this.message, ...facts, type } }
  }
}

/** Named in a path: 404. */
export function noSuch(what: string, id: string, param = 'id'): StripeError {
  return new StripeError(404, `No such ${what}: '${id}'`, { code: 'resource_missing', param })
}

/** Named in a parameter: 400. */
export function noSuchIn(param: string, what: string, id: string): StripeError {
  return new StripeError(400, `No such ${what}: '${id}'`, { code: 'resource_missing', param })
}

export function cardDeclined(): StripeError {
  return new StripeError(402, 'Your card was declined.', {
    type: 'card_error',
    code: 'card_declined',
    decline_code: 'generic_decline',
  })
}

import type { ProviderEvent } from './provider.ts'

const OF_CUSTOMERS = /^(customer\.subscription|checkout\.session|invoice)\./

/**
 * The customer or payout account that has to be read again because of an event; null where nothing of it is kept here.
 * What else the event says is not looked at: it may be old.
 */
export function eventSubject({ type, account, object }: ProviderEvent): string | null {
  if (account !== undefined) return account
  if (type === 'account.updated' || type === 'customer.deleted') return idOf(object)
  return OF_CUSTOMERS.test(type) ? idOf(object.customer) : null
}

/** An object stands as its id, or whole where the provider was asked to. */
function idOf(ref: unknown): string | null {
  if (typeof ref === 'string') return ref
  if (typeof ref !== 'object' || ref === null || !('id' in ref)) return null
  return typeof ref.id === 'string' ? ref.id : null
}

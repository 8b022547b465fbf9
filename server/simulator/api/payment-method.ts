import { cardDeclined, noSuchIn } from './stripe-error.ts'

/*
 * Stripe's test cards by their names. In the simulator a name stays the id of the card, so that whoever looks at an
 * object sees what it will do.
 */
const PAYS = new Set(['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex'])
const FAILS_TO_PAY = 'pm_card_chargeCustomerFail'
const IS_DECLINED = new Set(['pm_card_chargeDeclined', 'pm_card_visa_chargeDeclined'])

/** The card that a parameter names, if it can be kept for a customer. */
export function attachedMethod(param: string, id: string): string {
  if (IS_DECLINED.has(id)) throw cardDeclined()
  if (PAYS.has(id) || id === FAILS_TO_PAY) return id
  throw noSuchIn(param, 'PaymentMethod', id)
}

export function canPay(id: string): boolean {
  return id !== FAILS_TO_PAY
}

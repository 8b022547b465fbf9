import { newCustomer } from '#server/simulator/objects/customer.ts'
import type { Customer } from '#server/simulator/objects/stripe-objects.ts'
import type { Work } from '#server/simulator/simulator.ts'
import { findObject, insertObject, lockObject } from '#server/simulator/state/object-queries.ts'
import { changeObject, recordEvent } from '#server/simulator/webhooks/record-event.ts'
import { type ApiCall, apiCall } from './api-call.ts'
import { mergeMetadata } from './merge-metadata.ts'
import { emailAddress, metadata, parameters, text } from './parameters.ts'
import { attachedMethod } from './payment-method.ts'
import { noSuch, noSuchIn } from './stripe-error.ts'

const details = {
  email: emailAddress.optional(),
  name: text.optional(),
  phone: text.optional(),
  description: text.optional(),
  metadata: metadata.optional(),
}
const defaultMethod = parameters({ default_payment_method: text.optional() }).omit({ expand: true })

export const customerCalls: readonly ApiCall[] = [
  apiCall({
    method: 'POST',
    path: '/v1/customers',
    takes: parameters({
      ...details,
      // pm_card_visa: a card that pays. Stripe wants it named as default as well; here the only one is the default.
      payment_method: text.optional(),
      invoice_settings: defaultMethod.optional(),
    }),
    answer: async (work, given) => {
      const named = given.invoice_settings?.default_payment_method
      const method = named ?? given.payment_method
      const customer = newCustomer(
        {
          ...given,
          metadata: mergeMetadata({}, given.metadata),
          paymentMethod: method === undefined ? undefined : attachedMethod('payment_method', method),
        },
        work.now,
      )
      await insertObject(work.db, customer, customer.id)
      await recordEvent(work, 'customer.created', customer)
      return customer
    },
  }),
  apiCall({
    method: 'GET',
    path: '/v1/customers/{id}',
    takes: parameters({}),
    answer: async (work, _given, { id }) => {
      const customer = await findObject(work.db, 'customer', id)
      if (!customer) throw noSuch('customer', id)
      return customer
    },
  }),
  apiCall({
    method: 'POST',
    path: '/v1/customers/{id}',
    takes: parameters(details),
    answer: async (work, { metadata: pairs, expand: _, ...fields }, { id }) => {
      const customer = await lockObject(work.db, 'customer', id)
      if (!customer) throw noSuch('customer', id)
      const changed = { ...fields, metadata: mergeMetadata(customer.metadata, pairs) } as Partial<Customer>
      return changeObject(work, customer, { fields: changed, type: 'customer.updated' })
    },
  }),
]

/** The customer that a parameter names. */
export async function customerNamed(work: Work, id: string): Promise<Customer> {
  const customer = await findObject(work.db, 'customer', id)
  if (!customer) throw noSuchIn('customer', 'customer', id)
  return customer
}

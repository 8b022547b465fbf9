import type { Price } from '#server/simulator/objects/stripe-objects.ts'
import type { Work } from '#server/simulator/simulator.ts'
import { type ApiCall, apiCall } from './api-call.ts'
import { parameters } from './parameters.ts'
import { noSuch, noSuchIn } from './stripe-error.ts'

export const catalogueCalls: readonly ApiCall[] = [
  apiCall({
    method: 'GET',
    path: '/v1/prices/{id}',
    takes: parameters({}),
    answer: async ({ simulator }, _given, { id }) => {
      const price = simulator.catalogue.price(id)
      if (!price) throw noSuch('price', id, 'price')
      return price
    },
  }),
  apiCall({
    method: 'GET',
    path: '/v1/products/{id}',
    takes: parameters({}),
    answer: async ({ simulator }, _given, { id }) => {
      const product = simulator.catalogue.product(id)
      if (!product) throw noSuch('product', id)
      return product
    },
  }),
]

/** The price that a parameter names. */
export function priceNamed({ simulator }: Work, param: string, id: string): Price {
  const price = simulator.catalogue.price(id)
  if (!price) throw noSuchIn(param, 'price', id)
  return price
}

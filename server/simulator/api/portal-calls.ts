import { newId } from '#server/simulator/objects/stripe-id.ts'
import type { PortalSession } from '#server/simulator/objects/stripe-objects.ts'
import { insertPage } from '#server/simulator/state/page-queries.ts'
import { type ApiCall, apiCall } from './api-call.ts'
import { customerNamed } from './customer-calls.ts'
import { parameters, text, webAddress } from './parameters.ts'

const HOUR_MS = 3_600_000

export const portalCalls: readonly ApiCall[] = [
  apiCall({
    method: 'POST',
    path: '/v1/billing_portal/sessions',
    takes: parameters({ customer: text, return_url: webAddress.optional() }),
    answer: async (work, given): Promise<PortalSession> => {
      const customer = await customerNamed(work, given.customer)
      const token = await insertPage(work.db, {
        kind: 'portal',
        subject: customer.id,
        returnUrl: given.return_url ?? null,
        refreshUrl: null,
        expiresAt: new Date(work.now * 1000 + HOUR_MS),
      })
      return {
        id: newId('bps'),
        object: 'billing_portal.session',
        configuration: 'bpc_simulator',
        created: work.now,
        customer: customer.id,
        customer_account: null,
        flow: null,
        livemode: false,
        locale: null,
        on_behalf_of: null,
        return_url: given.return_url ?? null,
        url: `${work.simulator.url}/portal/${token}`,
      }
    },
  }),
]

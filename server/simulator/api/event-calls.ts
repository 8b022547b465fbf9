import { z } from 'zod'
import { findObject, listObjects } from '#server/simulator/state/object-queries.ts'
import { type ApiCall, apiCall, DEFAULT_LIMIT, listOf } from './api-call.ts'
import { listParameters, parameters, text } from './parameters.ts'
import { noSuch } from './stripe-error.ts'

export const eventCalls: readonly ApiCall[] = [
  apiCall({
    method: 'GET',
    path: '/v1/events/{id}',
    takes: parameters({}),
    answer: async (work, _given, { id }) => {
      const event = await findObject(work.db, 'event', id)
      if (!event) throw noSuch('event', id)
      return event
    },
  }),
  apiCall({
    method: 'GET',
    path: '/v1/events',
    takes: listParameters({ type: text.optional(), types: z.array(text).min(1).max(20).optional() }),
    answer: async (work, { type, types, starting_after, limit = DEFAULT_LIMIT }) => {
      const found = await listObjects(work.db, {
        kind: 'event',
        states: types ?? (type === undefined ? undefined : [type]),
        after: starting_after,
        limit,
      })
      return listOf(found, '/v1/events', limit)
    },
  }),
]

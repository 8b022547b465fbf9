import { z } from 'zod'

/** Jobs as administrators write them down: to run now, again, or by the clock. */

const json = z.record(z.string(), z.unknown(), 'The payload has to be a JSON object, as {"perPage": 48}')
const jobOptions = z.looseObject(
  { attempts: z.number('Attempts is a number').nullish() },
  'The options have to be a JSON object, as {"attempts": 1}',
)

export const newJob = z.object({
  queue: z.string('Choose a queue').min(1, 'Choose a queue').max(100),
  payload: json.default({}),
  options: jobOptions.default({}),
})

/** No default here: what is left out stays as it was. */
export const repeatedJob = z.object({ payload: json.optional(), options: jobOptions.optional() })

import { expect, test } from 'vitest'
import { z } from 'zod'
import { payloadProblem } from './new-job.ts'

const schema = z
  .object({
    dataset: z.string().min(1).max(5),
    perPage: z.number().int().min(1).max(50).optional(),
    id: z.uuid().optional(),
    kind: z.enum(['a', 'b']).optional(),
    flags: z.object({ limit: z.number('Limit must be a whole number') }).optional(),
  })
  .strict()

test.each<[string, unknown, string | undefined]>([
  ['right', { dataset: 'x' }, undefined],
  ['missing', {}, 'dataset is missing'],
  ['wrong type', { dataset: 5 }, 'dataset must be of type string'],
  ['too short', { dataset: '' }, 'dataset must be at least 1 characters long'],
  ['too large', { dataset: 'x', perPage: 51 }, 'perPage must be at most 50'],
  ['invalid id', { dataset: 'x', id: 'y' }, 'id is not a valid uuid'],
  ['not one of the choices', { dataset: 'x', kind: 'c' }, 'kind must be a or b'],
  ['unknown', { dataset: 'x', perpage: 1 }, 'The payload cannot have perpage'],
  ['a rule with its own message', { dataset: 'x', flags: { limit: 'y' } }, 'Limit must be a whole number'],
  ['two problems at once', { perPage: 0 }, 'dataset is missing. perPage must be at least 1'],
  ['not an object', [], 'The payload must be of type object'],
])('%s', (_what, payload, sentence) => {
  expect(payloadProblem(schema, payload)).toBe(sentence)
})

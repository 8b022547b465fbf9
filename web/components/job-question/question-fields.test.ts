import { expect, test } from 'vitest'
import { z } from 'zod'
import { answerOf, presetsOf, type QuestionField, questionFields } from './question-fields.ts'

const schemaOf = (schema: z.ZodType) => z.toJSONSchema(schema) as Record<string, unknown>
const fieldsOf = (schema: z.ZodType) => questionFields(schemaOf(schema)) as QuestionField[]

const merging = z.object({
  keep: z.enum(['first', 'second']).meta({ title: 'Which name stays' }),
  atMost: z.int().min(1).max(500).describe('Names in one go'),
  ratio: z.number().optional(),
  keepOldNames: z.boolean().default(true),
  remark: z.string().max(80).default('none'),
})

test('every plain value has a field', () => {
  expect(fieldsOf(merging)).toEqual([
    {
      name: 'keep',
      label: 'Which name stays',
      required: true,
      kind: 'choice',
      options: ['first', 'second'],
      preset: '',
    },
    {
      name: 'atMost',
      label: 'At most',
      help: 'Names in one go',
      required: true,
      kind: 'number',
      whole: true,
      least: 1,
      most: 500,
      preset: '',
    },
    { name: 'ratio', label: 'Ratio', required: false, kind: 'number', whole: false, preset: '' },
    { name: 'keepOldNames', label: 'Keep old names', required: false, kind: 'boolean', preset: true },
    { name: 'remark', label: 'Remark', required: false, kind: 'text', longest: 80, preset: 'none' },
  ])
})

test('the limits of a safe integer are not shown as bounds', () => {
  const [field] = fieldsOf(z.object({ count: z.int() }))
  expect(field).toEqual({
    name: 'count',
    label: 'Count',
    required: true,
    kind: 'number',
    whole: true,
    preset: '',
  })
})

test.each<[string, Record<string, unknown> | null]>([
  ['no schema', null],
  ['a text', schemaOf(z.string())],
  ['nothing to fill in', schemaOf(z.object({}))],
  ['a list inside', schemaOf(z.object({ names: z.array(z.string()) }))],
])('%s is answered with one line of text', (_what, schema) => {
  expect(questionFields(schema)).toBeUndefined()
})

test('an answer has the types of the schema and leaves out empty fields', () => {
  const fields = fieldsOf(merging)
  const values = { ...presetsOf(fields), keep: 'second', atMost: ' 20 ' }
  expect(answerOf(fields, values)).toEqual({
    text: '{"keep":"second","atMost":20,"keepOldNames":true,"remark":"none"}',
  })
})

test.each([
  ['', 'Fill this in'],
  ['many', 'At most must be a number'],
  ['1.5', 'At most must be a whole number'],
  ['0', 'At most must be at least 1'],
  ['501', 'At most can be at most 500'],
])('“at most” set to %j: %s', (atMost, sentence) => {
  expect(answerOf(fieldsOf(merging), { keep: 'first', atMost })).toEqual({ problems: { atMost: sentence } })
})

test('a choice is required', () => {
  expect(answerOf(fieldsOf(merging), { atMost: '3' })).toEqual({
    problems: { keep: 'Choose one of these' },
  })
})

import { expect, test } from 'vitest'
import { z } from 'zod'
import type { NewQuestion } from '#server/platform/jobs/job-definition.ts'
import { askUntilItFits } from './serve-script.ts'

/** A person who gives these answers, and the questions they got. */
function person(...answers: string[]) {
  const asked: NewQuestion[] = []
  const put = async (question: NewQuestion) => {
    asked.push(question)
    return answers[asked.length - 1] ?? ''
  }
  return { asked, put }
}

const question = { key: 'go', text: 'Shall it go on?' }
const schema = z.object({ go: z.enum(['yes', 'no']), parts: z.int('Give a whole number').optional() })

test('a valid answer is returned parsed, and the person gets a form', async () => {
  const { asked, put } = person('{"go":"yes","parts":3,"more":1}')
  expect(await askUntilItFits(put, question, schema)).toEqual({ go: 'yes', parts: 3 })
  expect(asked).toMatchObject([{ ...question, schema: { type: 'object', required: ['go'] } }])
  expect(asked[0]?.schema).toMatchObject({ properties: { go: { enum: ['yes', 'no'] } } })
})

test('an invalid answer is asked for again, under another key and with the reason', async () => {
  const { asked, put } = person('yes', '{"go":"yes","parts":"three"}', '{"go":"no"}')
  expect(await askUntilItFits(put, question, schema)).toEqual({ go: 'no' })
  expect(asked.map(({ key, problem }) => [key, problem])).toEqual([
    ['go', undefined],
    ['go#2', 'Invalid input: expected object, received string'],
    ['go#3', 'parts: Give a whole number'],
  ])
})

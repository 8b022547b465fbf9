import { expect, test } from 'vitest'
import type { ErrorReply } from '#contract/endpoint.ts'
import { startTestApp } from '#tests/support/test-app.ts'

const app = await startTestApp()
const { api } = await app.signUp()

const form = (body: string, boundary = 'x') => ({
  method: 'POST' as const,
  path: '/seller/parts',
  body,
  headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
})

test.each([
  ['cut off', form('--x\r\ncontent-disposition: form-data; name="partname"\r\n\r\nDoor')],
  ['without a boundary', { ...form('x'), headers: { 'content-type': 'multipart/form-data' } }],
  ['with an overlong boundary', form('x', 'b'.repeat(400))],
])('a form %s is refused in words', async (_name, sent) => {
  const answer = await api.send<ErrorReply>(sent)
  expect([answer.status, answer.body.code]).toEqual([400, 'MALFORMED'])
})

test('a call that takes no file rejects form data', async () => {
  const answer = await app.visitor.send<ErrorReply>({ ...form('x'), path: '/login' })
  expect([answer.status, answer.body.code]).toEqual([415, 'WRONG_TYPE'])
})

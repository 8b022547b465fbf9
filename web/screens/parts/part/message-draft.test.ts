import { expect, test } from 'vitest'
import { readDraft } from './message-draft.ts'

const draft = { name: 'Maria Lopez', email: 'maria@buyer.example', phone: '', message: 'Still there?' }

test('what is left empty is not sent', () => {
  expect(readDraft(draft)).toEqual({
    body: { name: 'Maria Lopez', email: 'maria@buyer.example', message: 'Still there?' },
  })
  expect(readDraft({ ...draft, email: ' ', phone: ' 555-0100 ' })).toEqual({
    body: { name: 'Maria Lopez', phone: '555-0100', message: 'Still there?' },
  })
})

test.each([
  [{ name: ' ' }, { name: 'Name is required' }],
  [{ message: '' }, { message: 'Message is required' }],
  [{ email: 'maria' }, { email: 'Enter an e-mail address such as name@example.com' }],
  [{ email: '' }, { email: 'Leave an e-mail address or a phone number, so that the seller can answer' }],
  [{ phone: '5'.repeat(41) }, { phone: 'Phone has at most 40 characters' }],
  [
    { name: '', message: '' },
    { name: 'Name is required', message: 'Message is required' },
  ],
])('%j is refused beside its field', (change, problems) => {
  expect(readDraft({ ...draft, ...change })).toEqual({ problems })
})

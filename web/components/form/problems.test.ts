import { expect, test } from 'vitest'
import { lineProblems } from './problems.ts'

test.each([
  ['a name', { Name: ' Ana Pérez ' }],
  ['an empty one, which is judged elsewhere', { Name: '', Subject: '  ' }],
])('%s is no problem', (_, texts) => {
  expect(lineProblems(texts)).toBeUndefined()
})

test.each([
  ['zero-width spaces', '\u200b\u200b'],
  ['a line break within', 'Ana\nBcc: all'],
  ['a sign that turns the direction', 'Ana \u202eoob'],
])('%s are told beside their own field', (_, text) => {
  expect(lineProblems({ Name: 'Ana', Subject: text })).toEqual({
    subject: 'Subject holds characters that cannot be shown. Type it again.',
  })
})

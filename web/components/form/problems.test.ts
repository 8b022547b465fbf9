import { expect, test } from 'vitest'
import { lineProblems } from './problems.ts'

test.each([
  ['a name', { Name: ' Ana Pérez ' }],
  ['an empty name, which is checked elsewhere', { Name: '', Subject: '  ' }],
])('%s is accepted', (_, texts) => {
  expect(lineProblems(texts)).toBeUndefined()
})

test.each([
  ['zero-width spaces', '\u200b\u200b'],
  ['a line break inside', 'Ana\nBcc: all'],
  ['a character that changes the text direction', 'Ana \u202eoob'],
])('a value with %s is reported on its own field', (_, text) => {
  expect(lineProblems({ Name: 'Ana', Subject: text })).toEqual({
    subject: 'Subject contains a line break or hidden characters. Remove them.',
  })
})

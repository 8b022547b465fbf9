import { expect, test } from 'vitest'
import { accessQuestions } from './access-questions.ts'

const dana = { name: 'Dana Whitfield', email: 'dana@yard.example', activeListings: 1200 }

test('every question names the person, by name and address', () => {
  for (const [step, { title, text }] of Object.entries(accessQuestions(dana, { self: false }))) {
    expect(title, step).toContain('Dana Whitfield')
    expect(text, step).toContain('dana@yard.example')
    expect(text, step).not.toContain('your own')
  }
})

test('a question about your own account includes a warning', () => {
  const { disable, takeAdmin, signOut } = accessQuestions(dana, { self: true })
  for (const { text } of [disable, takeAdmin, signOut]) expect(text).toContain('This is your own account.')
})

test('the question about disabling includes the active listings', () => {
  expect(accessQuestions(dana, { self: false }).disable.text).toContain(
    'The 1,200 active listings stay on sale.',
  )
})

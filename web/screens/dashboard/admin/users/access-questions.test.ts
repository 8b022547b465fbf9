import { expect, test } from 'vitest'
import { accessQuestions } from './access-questions.ts'

const dana = { name: 'Dana Whitfield', email: 'dana@yard.example', activeListings: 1200, sellsAlone: true }

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

test.each([
  [
    1200,
    true,
    'Buyers no longer see the 1,200 active listings.',
    'The 1,200 active listings are for sale again.',
  ],
  [1, true, 'Buyers no longer see the active listing.', 'The active listing is for sale again.'],
  [0, true, 'There are no active listings.', 'There are no active listings.'],
  [
    1200,
    false,
    'Others at the yard can still sign in, so the 1,200 active listings stay for sale.',
    'can sign in again.',
  ],
])(
  'the questions about access say what happens to %i listings, alone: %s',
  (activeListings, sellsAlone, disable, enable) => {
    const asked = accessQuestions({ ...dana, activeListings, sellsAlone }, { self: false })
    expect(asked.disable.text).toContain(disable)
    expect(asked.enable.text).toContain(enable)
  },
)

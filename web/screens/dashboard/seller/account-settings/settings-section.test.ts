import { expect, test } from 'vitest'
import { typedSince } from './settings-section.tsx'

test('what was typed while the save was under way stays, what was sent goes', () => {
  const sent = { name: 'Dana W.', email: 'dana@yard.example' }
  expect(typedSince({ name: 'Dana W.' }, sent)).toEqual({})
  expect(typedSince({ name: 'Dana Whitfield', email: 'dana@yard.example' }, sent)).toEqual({
    name: 'Dana Whitfield',
  })
  // Emptied again is typed too.
  expect(typedSince({ name: '' }, sent)).toEqual({ name: '' })
})

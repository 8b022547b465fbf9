import { expect, test } from 'vitest'
import { typedSince } from './settings-section.tsx'

test('fields edited during the save stay, and saved ones are cleared', () => {
  const sent = { name: 'Dana W.', email: 'dana@yard.example' }
  expect(typedSince({ name: 'Dana W.' }, sent)).toEqual({})
  expect(typedSince({ name: 'Dana Whitfield', email: 'dana@yard.example' }, sent)).toEqual({
    name: 'Dana Whitfield',
  })
  // Clearing a field is an edit, too.
  expect(typedSince({ name: '' }, sent)).toEqual({ name: '' })
})

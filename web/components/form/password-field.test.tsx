import { MantineProvider } from '@mantine/core'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { PasswordField } from './password-field.tsx'

/** The input element as HTML. */
function inputWith(error?: string): string {
  const html = renderToString(
    <MantineProvider>
      <PasswordField label="Password" name="password" error={error} />
    </MantineProvider>,
  )
  return /<input[^>]*>/.exec(html)?.[0] ?? ''
}

test('the input is marked invalid and described by its error', () => {
  const input = inputWith('Password needs at least 8 characters')
  expect(input).toContain('aria-invalid="true"')
  expect(input).toMatch(/aria-describedby="[^"]*-error"/)
})

test('the input is not marked without an error', () => {
  expect(inputWith()).toContain('name="password"')
  expect(inputWith()).not.toContain('aria-invalid')
  expect(inputWith('')).not.toContain('aria-invalid')
})

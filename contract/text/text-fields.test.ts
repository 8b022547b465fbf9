import { expect, test } from 'vitest'
import { asciiDomain, emailAddress } from './text-fields.ts'

test('a domain with letters of other scripts is read as the DNS names it', () => {
  expect(asciiDomain('info@müller-teile.example')).toBe('info@xn--mller-teile-thb.example')
  expect(emailAddress.parse('info@müller-teile.example')).toBe('info@xn--mller-teile-thb.example')
  expect(asciiDomain('dana@yard.example')).toBe('dana@yard.example')
})

test.each(['info@', 'info@ü ü.example', 'ü@yard.example', '@ü'])('“%s” stays refused', (email) =>
  expect(emailAddress.safeParse(email).success).toBe(false),
)

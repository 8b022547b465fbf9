import { expect, test } from 'vitest'
import { phoneLink } from './phone-parts.ts'

test.each([
  ['(918) 555-0134', 'tel:9185550134'],
  ['+1 918 555 0134', 'tel:+19185550134'],
  ['(617) 555-0142 x23', 'tel:+16175550142;ext=23'],
  ['+49 (0) 30 12345 ext. 7', 'tel:+4903012345;ext=7'],
  ['555-0142, extension 4', 'tel:5550142;ext=4'],
  ['ask at the gate', undefined],
])('%j is dialed as %j', (phone, link) => {
  expect(phoneLink(phone)).toBe(link)
})

import { expect, test } from 'vitest'
import { isPhone } from './phone.ts'
import { stateCode } from './us-states.ts'

test.each([
  '(918) 555-0142',
  '918.555.0142',
  '9185550142',
  '555-0142',
  '+1 918 555 0142',
  '+49 (0) 30 12345 ext. 7',
  '918-555-0142 x12',
  ' 918/555-0142 ',
])('%j is a phone number', (text) => expect(isPhone(text)).toBe(true))

test.each([
  '',
  'call me',
  '123',
  '5',
  'dana@yard.example',
  '1'.repeat(16),
  '918-CALL-NOW',
  '$1,299.00',
  '---------',
])('%j is none', (text) => expect(isPhone(text)).toBe(false))

test.each([
  ['oklahoma', 'OK'],
  [' New   York ', 'NY'],
  ['tx.', 'TX'],
  ['Ok', 'OK'],
  ['Ontario', 'Ontario'],
  ['', ''],
])('the state %j is %j', (typed, code) => expect(stateCode(typed)).toBe(code))

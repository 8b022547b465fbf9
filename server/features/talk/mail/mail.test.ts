import { expect, test } from 'vitest'
import { checkMail, mailboxOf } from './mail.ts'

const mail = { to: 'ann@yard.example', subject: 'Hello', body: 'One\ntwo' }

test('a valid email stays as it is', () => {
  expect(checkMail({ ...mail, replyTo: 'bob+parts@yard.example' })).toEqual({
    ...mail,
    replyTo: 'bob+parts@yard.example',
  })
})

test.each([
  ['two recipients', 'ann@yard.example,bob@yard.example'],
  ['another header', 'ann@yard.example\r\nBcc: everyone@yard.example'],
  ['a name with an address', 'Ann <ann@yard.example>'],
  ['no domain', 'ann'],
  ['an overlong address', `${'a'.repeat(250)}@yard.example`],
])('%s is refused as recipient and as reply-to address', (_what, address) => {
  expect(() => checkMail({ ...mail, to: address })).toThrow('not an email address')
  expect(() => checkMail({ ...mail, replyTo: address })).toThrow('not an email address')
})

test.each([
  ['Hello\r\nBcc: everyone@yard.example', 'Hello Bcc: everyone@yard.example'],
  ['  a\u0000b\u2028c  ', 'a b c'],
  ['x'.repeat(500), 'x'.repeat(200)],
])('a subject becomes one line of limited length: %j', (given, kept) => {
  expect(checkMail({ ...mail, subject: given }).subject).toBe(kept)
})

test.each([
  ['Ann+parts@Yard.example', 'ann@yard.example'],
  ['a.n.n+x@googlemail.com', 'ann@gmail.com'],
  ['a.n.n@yard.example', 'a.n.n@yard.example'],
  ['+@yard.example', '+@yard.example'],
])('%s is the mailbox %s', (email, mailbox) => {
  expect(mailboxOf(email)).toBe(mailbox)
})

import { expect, test } from 'vitest'
import { checkMail } from '#server/features/mail/mail.ts'
import { answerMail, mailingOf, newMessageMail } from './messages.ts'

const site = { publicUrl: 'https://parts.example', productName: 'PartHarbor' }
const message = {
  id: '019a0000-0000-7000-8000-000000000001',
  name: 'Ruth Amador',
  email: 'ruth@garage.example',
  phone: null,
  message: 'Is it still there?',
  title: '2014 Ford F-150 Alternator',
  slug: '2014-ford-f-150-alternator-a1b2c3',
}

test('the email about a new message', () => {
  expect(
    newMessageMail(message, { to: 'dana@yard.example', unsubscribeKey: 'a-key', last: false }, site),
  ).toEqual({
    to: 'dana@yard.example',
    replyTo: 'ruth@garage.example',
    subject: 'Message from Ruth Amador: 2014 Ford F-150 Alternator',
    unsubscribeUrl: 'https://parts.example/api/verify/unsubscribe/a-key.messageEmails',
    body: `Ruth Amador wrote to you about 2014 Ford F-150 Alternator:

> Is it still there?

Name: Ruth Amador
Email: ruth@garage.example

Reply to this email, or answer in your inbox:
https://parts.example/dashboard/seller/leads?lead=019a0000-0000-7000-8000-000000000001

The part: https://parts.example/parts/2014-ford-f-150-alternator-a1b2c3

PartHarbor sends these emails while "Email me about new messages" is on in your settings:
https://parts.example/dashboard/seller/account-settings
Stop these emails: https://parts.example/unsubscribe#a-key.messageEmails
`,
  })
})

test('the last email of an hour mentions that more messages are in the inbox', () => {
  const { body } = newMessageMail(
    message,
    { to: 'dana@yard.example', unsubscribeKey: 'a-key', last: true },
    site,
  )
  expect(body).toContain(
    'You got 60 messages within an hour, so more will wait in your inbox without an email. Emails resume next hour.\nhttps://parts.example/dashboard/seller/leads\n',
  )
})

test('an answer about a deleted part has no link, and a yard with its author’s name is named once', () => {
  const author = { name: 'Dana Whitfield', email: 'dana@yard.example' }
  const mail = answerMail(
    { ...message, slug: null },
    { text: 'Sold, sorry.', author, sellerName: 'Dana Whitfield' },
    site,
  )
  expect(mail.body).not.toContain('The part:')
  expect(mail.body.split('\n').filter((line) => line === 'Dana Whitfield')).toHaveLength(1)
})

test('an answer starts with its author’s name', () => {
  const author = { name: 'Dana Whitfield', email: 'dana@yard.example' }
  const text = 'PartHarbor Security: log in at https://evil.example'
  const { body } = answerMail(message, { text, author, sellerName: 'Whitfield Auto' }, site)
  expect(body.split('\n')[0]).toBe(
    'Whitfield Auto answered your message about 2014 Ford F-150 Alternator on PartHarbor:',
  )
  expect(body.indexOf(text)).toBeGreaterThan(0)
})

test('a line break in a title cannot add a header', () => {
  const mail = newMessageMail(
    { ...message, title: 'Horn\r\nBcc: a@b.example' },
    { to: 'dana@yard.example', unsubscribeKey: 'a-key', last: false },
    site,
  )
  expect(checkMail(mail).subject).toBe('Message from Ruth Amador: Horn Bcc: a@b.example')
})

test.each([
  [1, { mailed: true, last: false }],
  [59, { mailed: true, last: false }],
  [60, { mailed: true, last: true }],
  [61, { mailed: false, last: false }],
  [5_000, { mailed: false, last: false }],
])('message %d of an hour: %o', (count, mailing) => {
  expect(mailingOf(count)).toEqual(mailing)
})

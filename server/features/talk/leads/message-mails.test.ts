import { expect, test } from 'vitest'
import { checkMail } from '#server/features/talk/mail/mail.ts'
import { agreedMail, answerMail, mailingOf, newMessageMail } from './message-mails.ts'

const site = { publicUrl: 'https://parts.example', productName: 'PartHarbor' }
const lead = {
  id: '019a0000-0000-7000-8000-000000000001',
  name: 'Ruth Amador',
  email: 'ruth@garage.example',
  phone: null,
  title: '2014 Ford F-150 Alternator',
  slug: '2014-ford-f-150-alternator-a1b2c3',
  asking: '$120.00',
  canPay: false,
}
const said = { kind: 'text', text: 'Is it still there?', price: '', until: '', isFirst: true } as const
const deal = { price: '$90.00', until: 'Friday, March 6, 3:00 PM CST' }
const dana = { to: 'dana@yard.example', unsubscribeKey: 'a-key', last: false }
const answer = {
  kind: 'text',
  text: 'Sold, sorry.',
  price: '',
  until: '',
  author: { name: 'Dana Whitfield', email: 'dana@yard.example' },
  sellerName: 'Whitfield Auto',
  sellerPhone: null,
  answering: { text: 'Is it still there?', price: '' },
  token: 'a-token',
  unsubscribeKey: 'a-key',
} as const

test('the email about a new message', () => {
  expect(newMessageMail(lead, said, dana, site)).toEqual({
    to: 'dana@yard.example',
    replyTo: 'ruth@garage.example',
    subject: 'Message from Ruth Amador: 2014 Ford F-150 Alternator',
    unsubscribeUrl: 'https://parts.example/api/verify/unsubscribe/a-key.messageEmails',
    body: `Ruth Amador wrote to you about 2014 Ford F-150 Alternator:

> Is it still there?

Name: Ruth Amador
Email: ruth@garage.example

Reply to this email or in your inbox:
https://parts.example/dashboard/seller/leads?lead=019a0000-0000-7000-8000-000000000001

The part: https://parts.example/parts/2014-ford-f-150-alternator-a1b2c3

PartHarbor sends these emails while "Email me about new messages" is on in your settings:
https://parts.example/dashboard/seller/account-settings
Stop these emails: https://parts.example/unsubscribe#a-key.messageEmails
`,
  })
})

test('the last email of an hour mentions that more messages are in the inbox', () => {
  const { body } = newMessageMail(lead, said, { ...dana, last: true }, site)
  expect(body).toContain(
    'You got 60 messages within an hour, so more will wait in your inbox without an email. Emails resume next hour.\nhttps://parts.example/dashboard/seller/leads\n',
  )
})

test('an answer about a deleted part has no link, and a yard with its author’s name is named once', () => {
  const mail = answerMail({ ...lead, slug: null }, { ...answer, sellerName: 'Dana Whitfield' }, site)
  expect(mail.body).not.toContain('The part:')
  expect(mail.body.split('\n').filter((line) => line === 'Dana Whitfield')).toHaveLength(1)
})

test('an answer starts with its author’s name', () => {
  const text = 'PartHarbor Security: log in at https://evil.example'
  const { body } = answerMail(lead, { ...answer, text }, site)
  expect(body.split('\n')[0]).toBe(
    'Whitfield Auto replied to your message about 2014 Ford F-150 Alternator on PartHarbor:',
  )
  expect(body.indexOf(text)).toBeGreaterThan(0)
})

test('an answer has its link, a way to stop, and what the buyer wrote last', () => {
  expect(answerMail(lead, answer, site)).toEqual({
    to: 'ruth@garage.example',
    replyTo: 'dana@yard.example',
    subject: 'Re: 2014 Ford F-150 Alternator',
    button: 'Open the conversation',
    unsubscribeUrl: 'https://parts.example/api/verify/unsubscribe/a-key.conversation',
    body: `Whitfield Auto replied to your message about 2014 Ford F-150 Alternator on PartHarbor:

Hello Ruth Amador,

Sold, sorry.

Dana Whitfield
Whitfield Auto

See the conversation and reply, no account needed:

https://parts.example/messages#a-token

You wrote:
> Is it still there?

The part: https://parts.example/parts/2014-ford-f-150-alternator-a1b2c3

Stop emails about this conversation: https://parts.example/unsubscribe#a-key.conversation
`,
  })
})

test.each([
  [{ ...said, isFirst: false }, /^Reply from Ruth Amador: 2014 /, /wrote again about/],
  [
    { ...said, ...deal, kind: 'offer' },
    /^Offer from Ruth Amador: \$90\.00 for 2014 /,
    /^Ruth Amador offers \$90\.00 for .* listed at \$120\.00\. The offer is good until Friday, March 6, 3:00 PM CST\.\n\n> Is it/,
  ],
  [
    { ...said, ...deal, kind: 'accept', text: '' },
    /^Ruth Amador accepts \$90\.00 for /,
    /hold the part until Friday.* mark it as sold once they have paid\.\n\nName:/,
  ],
  [
    { ...said, ...deal, kind: 'decline', text: '' },
    /^Ruth Amador declined \$90\.00 for 2014 /,
    /your offer of \$90\.00 for .* can still make another offer/,
  ],
] as const)('an email to the seller names the kind of message: %j', (message, subject, body) => {
  const mail = newMessageMail(lead, message, dana, site)
  expect(mail.subject).toMatch(subject)
  expect(mail.body).toMatch(body)
})

test.each([
  ['offer', /^Counteroffer: \$90\.00 for 2014 /, /^Whitfield Auto offers you 2014 .* until Friday/],
  [
    'accept',
    /^Offer accepted: \$90\.00 for 2014 /,
    /is holding the part for you until Friday.* pay the seller directly/,
  ],
  [
    'decline',
    /^Offer declined: \$90\.00 for 2014 /,
    /^Whitfield Auto declined your offer of \$90\.00 for .* You can make another offer/,
  ],
] as const)('an email to the buyer names the %s in its first line', (kind, subject, body) => {
  const mail = answerMail(lead, { ...answer, ...deal, kind }, site)
  expect(mail.subject).toMatch(subject)
  expect(mail.body).toMatch(body)
})

test('an offer without a note has its price, its end and its link, and no empty letter', () => {
  const { body } = answerMail(lead, { ...answer, ...deal, kind: 'offer', text: ' ' }, site)
  expect(body).not.toMatch(/Hello|Dana/)
  expect(body).toMatch(
    /for \$90\.00 .*\n\nAccept, decline or make a counteroffer, no account needed:\n\nhttps:/,
  )
})

test.each([
  [{ text: 'Cash on Friday.', price: '$80.00' }, 'You offered $80.00:\n> Cash on Friday.\n'],
  [{ text: '', price: '$80.00' }, 'You offered $80.00.\n'],
])('an answer to an offer repeats its price: %j', (answering, words) => {
  expect(answerMail(lead, { ...answer, answering }, site).body).toContain(`\n\n${words}`)
})

test('the price that was agreed comes with the phone of a seller who shows it', () => {
  const sellerPhone = '(918) 555-0142'
  const phone = /until Friday, March 6, 3:00 PM CST\. Call \(918\) 555-0142 or write back to arrange/
  expect(answerMail(lead, { ...answer, ...deal, kind: 'accept', sellerPhone }, site).body).toMatch(phone)
  const mail = agreedMail(lead, { ...answer, ...deal, sellerPhone }, site)
  expect(mail.subject).toBe('You agreed on $90.00 for 2014 Ford F-150 Alternator')
  expect(mail.body).toMatch(phone)
})

test('a line break in a title cannot add a header', () => {
  const mail = newMessageMail({ ...lead, title: 'Horn\r\nBcc: a@b.example' }, said, dana, site)
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

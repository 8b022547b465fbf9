import type { Attack } from '#workshop/attack/attack.ts'
import { ask, listPart, newPerson, type Part } from '#workshop/attack/client.ts'
import { Findings, mailsTo, must, newAccount, newEmail, newNetwork, tokenFor, writeMessage } from './scene.ts'

/* Strangers who know a buyer's address use up the emails that may go there, so that the buyer gets none. */

/** The contract's: of all strangers to an address within an hour. */
const AN_HOUR = 5

type Scene = { url: string; parts: Part[] }

/** All that somebody without an account can have mailed to an address, and with accounts, from one network. */
async function pester({ url, parts }: Scene, email: string, from: string): Promise<void> {
  const post = (path: string, body: object, token?: string) =>
    ask(url, { method: 'POST', path, body, from, ...(token !== undefined && { token }) })
  for (const [at, { partslug }] of parts.entries()) {
    const spelled = at % 2 === 0 ? email : email.replace('@', `+${at}@`).toUpperCase()
    await writeMessage(url, partslug, { email: spelled, from })
    await post(`/api/parts/${partslug}/reports`, { reason: 'other', text: 'x', email: spelled })
    await post('/api/saved-searches/new', { query: `q=horn${at}`, email: spelled, frequency: 'daily' })
    const form = new URLSearchParams({ intent: 'message', name: 'Al', email: spelled, message: 'Hello?' })
    await ask(url, {
      method: 'POST',
      path: `/parts/${partslug}`,
      body: form.toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': String(form.toString().length),
      },
      from,
    })
  }
  for (let n = 0; n < 6; n += 1) {
    const tagged = email.replace('@', `+${n}@`)
    await post('/api/register', newPerson({ email: tagged }))
  }
  for (let n = 0; n < 3; n += 1) {
    const { token, person } = await newAccount(url, { confirmed: false })
    await ask(url, {
      method: 'PUT',
      path: '/api/profile',
      token,
      body: { email, currentPassword: person.password },
      from,
    })
    for (let again = 0; again < 3; again += 1) await post('/api/profile/email-link', {}, token)
  }
}

async function countMails(url: string, email: string): Promise<number> {
  const [local = '', domain = ''] = email.split('@')
  const tagged = Array.from({ length: 12 }, (_, at) => `${local}+${at}@${domain}`)
  const all = await Promise.all([email, ...tagged].map((to) => mailsTo(url, to)))
  return all.flat().length
}

export const mailLimits: Attack = {
  name: 'Strangers who use up the emails of a buyer',
  async run({ url }) {
    const found = new Findings()
    const seller = await newAccount(url)
    const parts: Part[] = []
    for (let n = 0; n < 8; n += 1) parts.push((await must(201, listPart(url, seller.token))).body as Part)
    const scene = { url, parts: parts.slice(0, 6) }
    const [{ partslug: last = '' } = { partslug: '' }, { partslug: next = '' } = { partslug: '' }] =
      parts.slice(6)

    // One stranger leaves some for the owner.
    const email = newEmail()
    await pester(scene, email, newNetwork())
    const byOne = await countMails(url, email)
    found.expect(byOne > 0 && byOne < AN_HOUR, `one stranger had ${byOne} mails sent`)
    const mine = await must(201, writeMessage(url, last, { email }))
    found.expect(
      (mine.body as { notice?: string }).notice === undefined,
      `the owner’s link wasn’t mailed: ${mine.text}`,
    )
    const token = await tokenFor(url, email, 'confirm-message')
    const opened = await must(
      200,
      ask(url, { method: 'POST', path: '/api/messages/confirm', body: { token } }),
    )
    const cookie = /(?:__Secure-)?mailbox-[\w-]+=[\w-]+/.exec(opened.setCookie)?.[0] ?? ''

    // Many leave none; the owner's device needs none, nor does the owner's account.
    for (let n = 0; n < 4; n += 1) await pester(scene, email, newNetwork())
    const byMany = await countMails(url, email)
    found.expect(byMany <= AN_HOUR + 1, `strangers had ${byMany} mails sent`)
    const isConfirmed = async () => {
      const { body } = await must(200, ask(url, { path: '/api/seller/leads', token: seller.token }))
      return (body as { items: { emailConfirmed: boolean }[] }).items[0]?.emailConfirmed === true
    }
    await must(201, writeMessage(url, next, { email, cookie }))
    found.expect(await isConfirmed(), 'a device that confirmed the address needs another link')
    const stranger = await must(201, writeMessage(url, next, { email }))
    found.expect(!(await isConfirmed()), 'a stranger’s message is confirmed')
    const notice = (stranger.body as { notice?: string }).notice ?? ''
    found.expect(/^We couldn't send the email; try again after /.test(notice), `others read “${notice}”`)
    const account = await newAccount(url)
    await pester(scene, account.person.email, newNetwork())
    await must(201, writeMessage(url, last, { email: account.person.email, token: account.token }))
    found.expect(await isConfirmed(), 'a confirmed account needs a link')
    const { held, figure } = found.result()
    return { held, figure: `${figure}; mails by one stranger ${byOne}, by five and the owner ${byMany}` }
  },
}

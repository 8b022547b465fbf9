import { createHmac } from 'node:crypto'
import type { Attack } from './attack.ts'
import { ask, statusesInWords } from './client.ts'

const event = (changes: object = {}) =>
  JSON.stringify({
    id: 'evt_forged',
    object: 'event',
    type: 'customer.subscription.updated',
    data: { object: { id: 'sub_forged', customer: 'cus_forged', status: 'active' } },
    ...changes,
  })

function signed(
  body: string,
  { secret, at, scheme = 'v1' }: { secret: string; at: number; scheme?: string },
) {
  const mark = createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')
  return `t=${at},${scheme}=${mark}`
}

const SECRETS = ['', 'whsec_', 'whsec_test', 'secret', 'null']
const SIGNATURES = ['', 't=', 't=0,v1=', 'v1=00', 't=NaN,v1=00', `t=1,${'v1=00,'.repeat(5_000)}`]

/** Bodies that say a subscription was paid, with every signature that someone without the secret can make. */
function forgeries(): { body: string; signature: string | undefined }[] {
  const body = event()
  const now = Math.floor(Date.now() / 1000)
  const times = [now, now - 3_600, now + 3_600]
  return [
    { body, signature: undefined },
    ...SIGNATURES.map((signature) => ({ body, signature })),
    ...SECRETS.flatMap((secret) => times.map((at) => ({ body, signature: signed(body, { secret, at }) }))),
    { body, signature: signed(body, { secret: 'whsec_test', at: now, scheme: 'v0' }) },
    {
      body: event({ type: 'account.updated', account: 'acct_forged' }),
      signature: signed('', { secret: '', at: now }),
    },
    { body: '', signature: signed('', { secret: '', at: now }) },
    { body: '{', signature: signed('{', { secret: '', at: now }) },
    { body: `"${'x'.repeat(2_000_000)}"`, signature: 't=1,v1=00' },
  ]
}

export const forgedWebhooks: Attack = {
  name: 'webhooks forged without the secret',
  async run({ url }) {
    const statuses: number[] = []
    for (const { body, signature } of forgeries()) {
      const headers = signature === undefined ? {} : { 'stripe-signature': signature }
      const sent = { method: 'POST', path: '/api/webhooks/stripe', body, headers }
      statuses.push((await ask(url, sent)).status)
    }
    // A body that is too long may be cut off while it is sent.
    const isRefused = (status: number) => (status >= 400 && status < 500) || status === 0
    return { held: statuses.every(isRefused), figure: statusesInWords(statuses) }
  },
}

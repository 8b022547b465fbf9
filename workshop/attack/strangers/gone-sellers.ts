import type { Attack } from '#workshop/attack/attack.ts'
import { ask, listPart, type Part, signIn } from '#workshop/attack/client.ts'
import {
  type Account,
  changePerson,
  Findings,
  findParts,
  freshAdmin,
  mailed,
  mailsTo,
  must,
  newAccount,
  newEmail,
  personId,
  tokenFor,
  untilListsAreNew,
  writeMessage,
} from './scene.ts'

/* A seller whom an administrator disabled, or who left, goes on selling by every address that somebody kept. */

type Yard = { url: string; seller: Account; part: Part; number: string; conversation: string }

/** Every public answer that has the seller or the part, with its status. */
async function statuses({
  url,
  seller: { slug },
  part: { partslug },
}: Yard): Promise<Record<string, number>> {
  const paths = [
    `/parts/${partslug}`,
    `/api/auto-part/${partslug}`,
    `/api/parts/${partslug}/around`,
    `/api/parts/${partslug}/distance?zip=74103`,
    `/sellers/${slug}`,
    `/api/sellers/${slug}`,
    `/api/sellers/${slug}/distance?zip=74103`,
    `/feeds/${slug}/google.xml`,
    `/feeds/${slug}/meta.csv`,
  ]
  const replies = await Promise.all(paths.map((path) => ask(url, { path })))
  return Object.fromEntries(replies.map(({ status }, at) => [paths[at] ?? '', status]))
}

/** How many lists have the part. */
async function lists({ url, part, number, seller }: Yard): Promise<string[]> {
  await untilListsAreNew()
  const has = async (name: string, ids: Promise<{ id: string }[]>) =>
    (await ids).some(({ id }) => id === part.id) ? [name] : []
  const newest = async () =>
    (await must(200, ask(url, { path: '/api/list-auto-parts/1' }))).body as { id: string }[]
  const cards = async () => {
    const { body } = await must(200, ask(url, { path: `/api/parts/cards?ids=${part.id}` }))
    return (body as { items: { id: string }[] }).items
  }
  const all = await Promise.all([
    has('by number', findParts(url, `q=${number}`)),
    has('by seller', findParts(url, `seller=${seller.slug}`)),
    has('the newest', newest()),
    has('kept cards', cards()),
  ])
  return all.flat()
}

async function openYard(url: string): Promise<Yard> {
  const seller = await newAccount(url, { name: 'Quillfeather Recycling' })
  const number = `QF${Date.now()}`
  const { body } = await must(201, listPart(url, seller.token, { partnum: number, phonea: '(918) 555-0177' }))
  await must(
    200,
    ask(url, { method: 'PUT', path: '/api/seller/feeds', token: seller.token, body: { enabled: true } }),
  )
  const part = body as Part
  const email = newEmail()
  await must(201, writeMessage(url, part.partslug, { email }))
  const token = await tokenFor(url, email, 'confirm-message')
  await must(200, ask(url, { method: 'POST', path: '/api/messages/confirm', body: { token } }))
  const yard = { url, seller, part, number, conversation: token }
  const open = [...Object.values(await statuses(yard)), (await lists(yard)).length]
  if (open.some((status) => status !== 200 && status !== 4))
    throw new Error(`the yard is not public: ${open}`)
  return Object.assign(yard, { email })
}

async function tryToTrade(yard: Yard, found: Findings, how: string): Promise<void> {
  const { url, part, conversation } = yard
  const message = await writeMessage(url, part.partslug, { email: newEmail() })
  found.expect(
    message.status === 404 || message.status === 410,
    `${how}: a message is taken, ${message.status}`,
  )
  const say = { token: conversation, message: 'I’ll take it.' }
  const reply = await ask(url, { method: 'POST', path: '/api/messages/reply', body: say })
  found.expect(reply.status === 409, `${how}: a reply is taken, ${reply.status}`)
  const read = await ask(url, {
    method: 'POST',
    path: '/api/messages/conversation',
    body: { token: conversation },
  })
  const { sellerGone, sellerPhone } = read.body as { sellerGone?: boolean; sellerPhone?: string | null }
  found.expect(sellerGone === true && sellerPhone === null, `${how}: the conversation doesn’t say so`)
}

async function disabled(yard: Yard & { email: string }, found: Findings): Promise<void> {
  const { url, seller } = yard
  const admin = await freshAdmin(url)
  const id = await personId(url, admin, seller.person.email)
  const { body } = await must(
    200,
    ask(url, {
      method: 'POST',
      path: '/api/api-tokens',
      token: seller.token,
      body: { name: 'desk', scopes: ['listings:read'], expiresInDays: null },
    }),
  )
  const apiToken = (body as { token: string }).token
  const tokenStatus = async (token: string) => (await ask(url, { path: '/api/seller/parts', token })).status
  if ((await tokenStatus(apiToken)) !== 200) throw new Error('the API token opens nothing')
  await must(200, changePerson(url, id, { admin, disabled: true }))
  for (const [path, status] of Object.entries(await statuses(yard))) {
    found.expect(status === 404, `disabled: ${path} ${status}`)
  }
  found.expect((await lists(yard)).length === 0, `disabled: in lists (${await lists(yard)})`)
  await tryToTrade(yard, found, 'disabled')
  const told = await mailed(url, yard.email, /no longer sells/)
  found.expect(told !== undefined, 'disabled: the buyer wasn’t told')
  found.expect((await tokenStatus(seller.token)) === 401, 'disabled: the session goes on')
  found.expect((await tokenStatus(apiToken)) === 401, 'disabled: the API token goes on')
  found.expect((await signIn(url, seller.person)).status === 401, 'disabled: can sign in')
  await must(200, changePerson(url, id, { admin, disabled: false }))
  for (const [path, status] of Object.entries(await statuses(yard))) {
    found.expect(status === 200, `enabled: ${path} ${status}`)
  }
  found.expect((await lists(yard)).length === 4, `enabled: only in ${await lists(yard)}`)
  found.expect((await tokenStatus(apiToken)) === 401, 'enabled: the old API token is back')
  found.expect((await tokenStatus(seller.token)) === 401, 'enabled: the old session is back')
}

async function closed(yard: Yard, found: Findings): Promise<void> {
  const { url, seller, part, conversation } = yard
  const { body } = await must(200, signIn(url, seller.person))
  const { token } = body as { token: string }
  await must(200, ask(url, { method: 'POST', path: '/api/account/close', token }))
  for (const [path, status] of Object.entries(await statuses(yard))) {
    found.expect(status === 410, `closed: ${path} ${status}`)
  }
  await untilListsAreNew()
  for (const path of [
    `/sellers/${seller.slug}`,
    `/api/sellers/${seller.slug}`,
    `/parts/${part.partslug}`,
    `/api/parts?seller=${seller.slug}`,
  ]) {
    const { text } = await ask(url, { path })
    found.expect(!/Quillfeather Recycling|555-0177/.test(text), `closed: ${path} still says who it was`)
  }
  found.expect((await lists(yard)).length === 0, `closed: in lists (${await lists(yard)})`)
  const before = (await mailsTo(url, seller.person.email)).length
  await tryToTrade(yard, found, 'closed')
  await ask(url, {
    method: 'POST',
    path: '/api/messages/offer',
    body: { token: conversation, price: 50, message: '' },
  })
  found.expect((await mailsTo(url, seller.person.email)).length === before, 'closed: still gets mail')
}

export const goneSellers: Attack = {
  name: 'Strangers who trade with a disabled or closed seller',
  async run({ url }) {
    const found = new Findings()
    const yard = await openYard(url)
    await disabled(yard as Yard & { email: string }, found)
    await closed(yard, found)
    return found.result()
  },
}

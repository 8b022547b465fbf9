import type { Attack } from '#workshop/attack/attack.ts'
import { ask, listPart, type Part, signIn } from '#workshop/attack/client.ts'
import {
  type Card,
  Findings,
  findParts,
  mailsTo,
  must,
  newAccount,
  newEmail,
  tokenFor,
  untilListsAreNew,
  writeMessage,
} from './scene.ts'

/* A new yard takes the name of a known one in its city, as near as it can, and sells to its buyers. */

/** Spellings of a name that a buyer takes for it. */
function spellings(name: string): string[] {
  const swapped = name.replace(/(\p{Ll})(\p{Ll})(?=\p{Ll})/u, '$2$1')
  return [
    name,
    name.toUpperCase(),
    name.replace('o', '\u043e').replace('a', '\u0430'),
    `${name}, LLC`,
    name.replaceAll(' ', ''),
    name.replaceAll(' ', ' \u00b7 '),
    name.replace(/[il]/, '1'),
    swapped,
    `${name} of Tulsa`,
    `Official ${name}`,
    `${name} Online Store`,
    `${name.split('').join('\u200b')}`,
  ]
}

type Scene = { url: string; found: Findings; known: Card }

/** What buyers read of the stranger's part and yard, without what they read of the known yard's. */
async function seen({ url }: Scene, part: Part, slug: string): Promise<Record<string, string>> {
  const email = newEmail()
  await must(201, writeMessage(url, part.partslug, { email }))
  const token = await tokenFor(url, email, 'confirm-message')
  await must(200, ask(url, { method: 'POST', path: '/api/messages/confirm', body: { token } }))
  const read = async (path: string) => (await ask(url, { path })).text
  const { listing: _, ...conversation } = (
    await ask(url, { method: 'POST', path: '/api/messages/conversation', body: { token } })
  ).body as Record<string, unknown>
  await untilListsAreNew()
  return {
    'the part’s JSON': await read(`/api/auto-part/${part.partslug}`),
    'the seller': await read(`/api/sellers/${slug}`),
    'the seller’s page': await read(`/sellers/${slug}`),
    'its list': await read(`/api/parts?seller=${slug}`),
    'its feed': await read(`/feeds/${slug}/google.xml`),
    'its CSV feed': await read(`/feeds/${slug}/meta.csv`),
    'the conversation': JSON.stringify(conversation),
    'the buyer’s mail': JSON.stringify(await mailsTo(url, email)),
    'its address': slug,
  }
}

const folded = (text: string) => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '')

async function impersonate(scene: Scene, name: string, as: 'dealer' | 'account'): Promise<void> {
  const { url, found, known } = scene
  const yard = await newAccount(url, as === 'account' ? { name } : { name: 'Ray Ortiz' })
  const { token } = yard
  await must(200, ask(url, { method: 'PUT', path: '/api/seller/feeds', token, body: { enabled: true } }))
  const place = { partcity: known.partcity, partstate: known.partstate, zipcode: '00601' }
  const asked = listPart(url, token, {
    ...place,
    partdealer: as === 'dealer' ? name : 'Ortiz',
    partnum: `LK${Date.now()}`,
  })
  const { body } = await must(201, asked)
  const { sellerSlug } = (await must(200, ask(url, { path: '/api/profile/me', token }))).body as {
    sellerSlug: string
  }
  for (const [where, text] of Object.entries(await seen(scene, body as Part, sellerSlug))) {
    const says = folded(text).includes(folded(name)) || folded(text).includes(folded(known.dealername))
    found.expect(!says, `${JSON.stringify(name)} as ${as}: ${where} says it`)
  }
}

/** A part of the demo's yard that buyers could be led away from. */
async function pickKnown(url: string): Promise<Card> {
  const pro = { name: '', email: 'pro@partharbor.example', password: 'harbor-demo-1' }
  const { body } = await must(200, signIn(url, pro))
  const { sellerSlug } = (body as { user: { sellerSlug: string } }).user
  const [known] = await findParts(url, `seller=${sellerSlug}`)
  if (!known?.dealername || !known.partcity)
    throw new Error('the demo’s yard has no part with dealer and city')
  return known
}

export const lookAlikeNames: Attack = {
  name: 'Strangers who call themselves like a known yard in the same city',
  async run({ url }) {
    const found = new Findings()
    const known = await pickKnown(url)
    const scene = { url, found, known }
    for (const name of spellings(known.dealername)) await impersonate(scene, name, 'dealer')
    for (const name of spellings(known.dealername).slice(0, 4)) await impersonate(scene, name, 'account')
    const words = encodeURIComponent(known.dealername)
    const { body } = await must(200, ask(url, { path: `/api/search/suggestions?q=${words}` }))
    const sellers = (body as { suggestions: { kind: string; label: string; slug?: string }[] }).suggestions
    const named = sellers.filter(({ kind }) => kind === 'seller')
    found.expect(
      named.every(({ slug }) => slug === undefined || !slug.startsWith('yard-')),
      `suggested: ${JSON.stringify(named)}`,
    )
    const real = (await must(200, ask(url, { path: `/api/auto-part/${known.partslug}` }))).body as {
      dealername: string
    }
    found.expect(real.dealername === known.dealername, `the known yard is now ${real.dealername}`)
    const { held, figure } = found.result()
    return { held, figure: `${known.dealername}: ${figure}` }
  },
}

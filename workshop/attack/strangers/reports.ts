import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { partMapping } from '#tests/support/make-imports.ts'
import type { Attack } from '#workshop/attack/attack.ts'
import { ask } from '#workshop/attack/client.ts'
import {
  type Account,
  changePerson,
  Findings,
  findParts,
  freshAdmin,
  must,
  newAccount,
  newEmail,
  newNetwork,
  personId,
  tokenFor,
} from './scene.ts'

/* A new yard's competitor reports its first parts, so that the rest of its first import is held. */

const PARTS = 20
const csv = () => {
  const rows = Array.from(
    { length: PARTS },
    (_, at) => `S-${at},Alternator ${at},Alternator,Ford,F-150,2014,${50 + at}.50`,
  )
  return ['Stock,Title,Type,Make,Model,Year,Price', ...rows].join('\r\n')
}

type Import = { rest: { heldAt: string | null } | null }

/** A new Pro yard whose first import has a rest that waits. */
async function importing(url: string): Promise<{ yard: Account; importId: string; slugs: string[] }> {
  const yard = await newAccount(url)
  const admin = await freshAdmin(url)
  const id = await personId(url, admin, yard.person.email)
  await must(200, changePerson(url, id, { admin, proGranted: true }))
  await must(
    200,
    ask(url, { method: 'POST', path: '/api/create-connect-account', token: yard.token, body: {} }),
  )
  const form = new FormData()
  form.append('mapping', JSON.stringify(partMapping))
  form.append('idempotencyKey', randomUUID())
  form.append('file', new Blob([csv()], { type: 'text/csv' }), 'parts.csv')
  const sent = await fetch(`${url}/api/pro/bulk/parts/csv`, {
    method: 'POST',
    headers: { authorization: `Bearer ${yard.token}` },
    body: form,
  })
  const text = await sent.text()
  if (!sent.ok) throw new Error(`the import was not taken: ${text.slice(0, 200)}`)
  const { importId } = JSON.parse(text) as { importId: string }
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(500)) {
    if (await restOf(url, yard, importId)) {
      await sleep(2_500)
      const slugs = (await findParts(url, `seller=${yard.slug}`)).map(({ partslug }) => partslug)
      return { yard, importId, slugs }
    }
  }
  throw new Error(
    'nothing of the import waits: FIRST_IMPORT_LIVE=5 and FIRST_IMPORT_WAIT_MINUTES=60 are needed',
  )
}

const restOf = async (url: string, { token }: Account, importId: string) =>
  ((await must(200, ask(url, { path: `/api/pro/imports/${importId}`, token }))).body as Import).rest

const report = (url: string, slug: string, email: string, from = newNetwork()) =>
  ask(url, {
    method: 'POST',
    path: `/api/parts/${slug}/reports`,
    body: { reason: 'suspicious', text: 'Not real', ...(email && { email }) },
    from,
  })

/** Reports a part and opens the link that came. */
async function confirmed(url: string, slug: string, email: string): Promise<void> {
  await must(201, report(url, slug, email))
  const token = await tokenFor(url, email, 'confirm-report')
  await must(200, ask(url, { method: 'POST', path: '/api/verify/report', body: { token } }))
}

export const unconfirmedReports: Attack = {
  name: 'Strangers who report a new yard’s parts to hold its import',
  async run({ url }) {
    const found = new Findings()
    const { yard, importId, slugs } = await importing(url)
    const [one = '', two = ''] = slugs
    if (slugs.length < 4) throw new Error(`only ${slugs.length} parts are live`)
    const isHeld = async () => typeof (await restOf(url, yard, importId))?.heldAt === 'string'
    for (const slug of slugs) {
      await Promise.all(Array.from({ length: 8 }, () => report(url, slug, '')))
      await Promise.all(Array.from({ length: 8 }, () => report(url, slug, newEmail())))
    }
    found.expect(!(await isHeld()), `${slugs.length * 16} reports that nobody confirmed hold it`)
    const mailbox = newEmail()
    for (const [at, slug] of slugs.entries()) await confirmed(url, slug, mailbox.replace('@', `+${at}@`))
    found.expect(!(await isHeld()), 'one person with several spellings of one mailbox holds it')
    await confirmed(url, one, newEmail())
    found.expect(!(await isHeld()), 'two people hold it')
    await confirmed(url, two, newEmail())
    found.expect(await isHeld(), 'three people on several parts don’t hold it')
    found.expect((await restOf(url, yard, importId)) !== null, 'the rest is gone')
    return found.result()
  },
}

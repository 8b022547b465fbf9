import { randomInt } from 'node:crypto'
import type { Attack } from '#workshop/attack/attack.ts'
import { ask, listPart, type Part } from '#workshop/attack/client.ts'
import { type Account, type Card, Findings, findParts, must, newAccount, untilListsAreNew } from './scene.ts'

/* A free account that says its part is the same as another yard's. Nobody but the readers of its own part may notice. */

/** The contract's: statements of a seller in a day, and of one number. */
const A_DAY = 500
const OF_ONE_NUMBER = 20

type Scene = { url: string; victim: Card & { partnum: string }; before: string; found: Findings }

const state = (url: string, token: string, [number, other]: [string, string], kind = 'same') =>
  ask(url, { method: 'POST', path: '/api/seller/interchange', token, body: { kind, number, other } })

/** What everybody reads of a number. */
const known = async (url: string, number: string) =>
  (await must(200, ask(url, { path: `/api/public/interchange?number=${encodeURIComponent(number)}` }))).text

const newNumber = () => `ZQ${randomInt(1e9, 9e9)}`

async function claim({ url, victim, before, found }: Scene, seller: Account, who: string): Promise<void> {
  const number = newNumber()
  const stated = `same ${victim.partnum}`
  const { body } = await must(
    201,
    listPart(url, seller.token, { partnum: number, partname: 'Wing mirror', partinterchange: stated }),
  )
  const part = body as Part
  const says = (await must(201, state(url, seller.token, [number, victim.partnum]))).status === 201
  found.expect(says, `${who}: the statement was not taken`)
  await untilListsAreNew()
  const find = async (words: string) =>
    (await findParts(url, `q=${encodeURIComponent(words)}&perPage=48`)).map(({ id }) => id)
  const own = await find(number)
  found.expect(own.includes(part.id), `${who}: the own part isn’t found by its own number`)
  found.expect(!own.includes(victim.id), `${who}: the other yard’s part is found by the stranger’s number`)
  found.expect(!(await find(victim.partnum)).includes(part.id), `${who}: found by the other yard’s number`)
  found.expect((await known(url, victim.partnum)) === before, `${who}: others read it of the number`)
  found.expect(
    !(await known(url, number)).includes(victim.partnum),
    `${who}: others read it of its own number`,
  )
  for (const path of [`/parts/${victim.partslug}`, `/api/parts/${victim.partslug}/around`]) {
    found.expect(
      !(await ask(url, { path })).text.includes(number),
      `${who}: it stands on the other’s ${path}`,
    )
  }
  const page = (await ask(url, { path: `/parts/${part.partslug}` })).text
  found.expect(page.includes(victim.partnum), `${who}: its own page doesn’t say it`)
}

/** Thousands of statements at once. Returns how many were taken. */
async function flood(url: string, { token }: Account, pair: () => [string, string], count: number) {
  let taken = 0
  for (let sent = 0; sent < count; sent += 50) {
    const replies = await Promise.all(Array.from({ length: 50 }, () => state(url, token, pair())))
    taken += replies.filter(({ status }) => status === 201).length
  }
  return taken
}

export const numberClaims: Attack = {
  name: 'Strangers who say that their part is another yard’s',
  async run({ url }) {
    const found = new Findings()
    const cards = await findParts(url, 'perPage=48')
    const victim = cards.find(
      (card): card is Card & { partnum: string } =>
        /^[\dA-Z-]{7,}$/.test(card.partnum ?? '') && /\d{3}/.test(card.partnum ?? ''),
    )
    if (!victim) throw new Error('no part with a part number is for sale')
    const before = await known(url, victim.partnum)
    const scene = { url, victim, before, found }
    const [unconfirmed, confirmed] = [await newAccount(url, { confirmed: false }), await newAccount(url)]
    await claim(scene, unconfirmed, 'unconfirmed')
    await claim(scene, confirmed, 'new')

    const [one, other] = [newNumber(), newNumber()]
    await must(201, state(url, confirmed.token, [one, other], 'replaces'))
    const { status } = await state(url, confirmed.token, [other, one], 'replaces')
    found.expect(status === 409, `a statement and its opposite: ${status}`)

    const ofOne = await flood(url, await newAccount(url), () => [newNumber(), victim.partnum], 100)
    found.expect(ofOne <= OF_ONE_NUMBER, `${ofOne} statements of one number`)
    const ofDay = await flood(url, unconfirmed, () => [newNumber(), newNumber()], A_DAY + 200)
    found.expect(ofDay > 100 && ofDay <= A_DAY, `${ofDay} statements in a day`)
    found.expect((await known(url, victim.partnum)) === before, 'after a flood others read something else')
    const { held, figure } = found.result()
    return {
      held,
      figure: `${figure}; of ${A_DAY + 200} statements ${ofDay} taken, of 100 on one number ${ofOne}`,
    }
  },
}

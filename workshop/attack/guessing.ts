import type { Attack } from './attack.ts'
import { ask, newPerson, type Person, type Reply, register, signIn, statusesInWords } from './client.ts'

const GUESSES = 200
const ADDRESSES = 40
// What the server checks of one account from everywhere, before it closes to strangers.
const MOST_CHECKED = 20

/** All guesses at once, five from each address: no address by itself would be noticed. */
function guess(url: string, { email }: Person): Promise<Reply[]> {
  return Promise.all(
    Array.from({ length: GUESSES }, (_, number) =>
      signIn(
        url,
        { name: '', email, password: `guess-number-${number}` },
        { from: `127.0.1.${1 + (number % ADDRESSES)}` },
      ),
    ),
  )
}

const countChecked = (replies: readonly Reply[]) => replies.filter(({ status }) => status === 401).length

/** Strangers ask for links, so that none is left for the owner; each address until it is refused. */
function askForLinks(url: string, { email }: Person): Promise<Reply[]> {
  return Promise.all(
    Array.from({ length: GUESSES }, (_, number) =>
      ask(url, {
        method: 'POST',
        path: `/api/${number % 2 === 0 ? 'password-reset' : 'verify/sign-in-links'}`,
        body: { email },
        from: `127.0.3.${1 + (number % 10)}`,
      }),
    ),
  )
}

/** The owner, from a device used before and through the mail, and a stranger who knows the password by chance. */
async function whoGetsIn(url: string, { person, cookie }: { person: Person; cookie: string }) {
  const [stranger, owner, link] = await Promise.all([
    signIn(url, person, { from: '127.0.2.1' }),
    signIn(url, person, { from: '127.0.2.2', headers: { cookie } }),
    ask(url, { method: 'POST', path: '/api/verify/sign-in-links', body: { email: person.email } }),
  ])
  return { stranger: stranger.status, owner: owner.status, link: link.status }
}

export const guessing: Attack = {
  name: `${GUESSES} passwords guessed for one account from ${ADDRESSES} addresses`,
  async run({ url }) {
    const victim = await register(url)
    const nobody = newPerson()
    const [known, unknown] = [await guess(url, victim.person), await guess(url, nobody)]
    const statuses = (replies: Reply[]) => statusesInWords(replies.map(({ status }) => status))
    const links = await askForLinks(url, victim.person)
    const { stranger, owner, link } = await whoGetsIn(url, victim)
    const looksAlike = countChecked(known) === countChecked(unknown)
    return {
      held:
        countChecked(known) <= MOST_CHECKED &&
        looksAlike &&
        stranger === 429 &&
        owner === 200 &&
        link === 200 &&
        links.every(({ status }) => status === 200 || status === 429) &&
        [...known, ...unknown].every(({ status }) => status === 401 || status === 429 || status === 503),
      figure: `${countChecked(known)} checked: ${statuses(known)}; no such account: ${statuses(unknown)}; owner’s device ${owner}, new device ${stranger}; links asked for by strangers: ${statuses(links)}, by the owner: ${link}`,
    }
  },
}

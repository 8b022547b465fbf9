import type { Attack } from './attack.ts'
import { ask, statusesInWords } from './client.ts'
import { inWords, whileProbed } from './probe.ts'

const CALLS = 300
const AT_ONCE = 10
const DEPTH = 400_000
// Of what others ask for in the meantime.
const MOST_P99_MS = 250

const bodies = [
  '['.repeat(DEPTH) + ']'.repeat(DEPTH),
  `${'{"a":'.repeat(DEPTH / 5)}1${'}'.repeat(DEPTH / 5)}`,
  // Never closed, and with what looks like the end inside of a text.
  `${'['.repeat(DEPTH)}"]]]]`,
  `{"email":${'['.repeat(30_000)}${']'.repeat(30_000)},"password":"x"}`,
]

/** Calls that anyone may make, so that no account can be closed for it. */
const PATHS = [
  '/api/login',
  '/api/register',
  '/api/password-reset',
  '/api/web-vitals',
  '/api/support-messages',
]

export const nestedJson: Attack = {
  name: 'deeply nested JSON before login',
  async run({ url }) {
    const statuses: number[] = []
    let turn = 0
    const client = async () => {
      while (turn < CALLS) {
        turn += 1
        const path = PATHS[turn % PATHS.length] ?? ''
        const body = bodies[turn % bodies.length] ?? ''
        statuses.push((await ask(url, { method: 'POST', path, body })).status)
      }
    }
    const began = performance.now()
    const noticed = await whileProbed(url, '/readyz', () =>
      Promise.all(Array.from({ length: AT_ONCE }, client)),
    )
    const msACall = Math.round((performance.now() - began) / CALLS)
    // A server that reads no further than it must closes the connection in the middle of such a body.
    const isRefused = (status: number) => (status >= 400 && status < 500) || status === 0
    return {
      held: statuses.every(isRefused) && noticed.failures === 0 && noticed.p99Ms < MOST_P99_MS,
      figure: `${statusesInWords(statuses)}, ${msACall} ms a call; /readyz ${inWords(noticed)}`,
    }
  },
}

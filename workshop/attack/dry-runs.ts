import { randomUUID } from 'node:crypto'
import { compareCheckWithRun, type Yard } from '#tests/support/chance-files.ts'
import type { Attack } from './attack.ts'
import { signIn } from './client.ts'

/*
 * A seller's files of any content, one after another: what a dry run says of each must be what its run's receipt says. The
 * seed in the result makes the same files again, as long as the seller had none before.
 */

const FILES = 2_000

const PRO = { name: '', email: 'pro@partharbor.example', password: 'harbor-demo-1' }

async function demoYard(url: string): Promise<Yard> {
  const { body } = await signIn(url, PRO)
  const { token } = body as { token: string }
  const send: Yard['send'] = async <T>({ method, path, body: sent }: Parameters<Yard['send']>[0]) => {
    const isForm = sent instanceof FormData
    const answer = await fetch(`${url}/api${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(sent !== undefined && !isForm && { 'content-type': 'application/json' }),
      },
      ...(sent !== undefined && { body: isForm ? sent : JSON.stringify(sent) }),
    })
    const bytes = Buffer.from(await answer.arrayBuffer())
    const isJson = answer.headers.get('content-type')?.startsWith('application/json')
    const body = (isJson ? JSON.parse(bytes.toString()) : undefined) as T
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body, bytes }
  }
  return {
    send,
    get: (path) => send({ method: 'GET', path }),
    post: (path, sent) => send({ method: 'POST', path, body: sent }),
  }
}

export const dryRuns: Attack = {
  name: `Dry runs that say something else than their runs (${FILES.toLocaleString('en-US')} files)`,
  run: async ({ url }) => {
    const yard = await demoYard(url)
    const seed = randomUUID().slice(0, 8)
    const wrong: string[] = []
    for (let at = 1; at <= FILES; at += 1) {
      const { differences } = await compareCheckWithRun(yard, `${seed} ${at}`)
      if (differences.length > 0) wrong.push(`file ${at}: ${differences.join(', ')}`)
      if (differences.length > 0 || at % 100 === 0)
        console.log(`  seed ${seed}: ${at} files, ${wrong.at(-1) ?? 'all equal'}`)
    }
    const first = wrong[0] ? `; first ${wrong[0]}` : ''
    return {
      held: wrong.length === 0,
      figure: `seed ${seed}: ${wrong.length} of ${FILES} files differ${first}`,
    }
  },
}

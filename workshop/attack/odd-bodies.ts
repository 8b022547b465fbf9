import { otherRoutes } from '#contract/routes.ts'
import { oddBodies } from '#tests/support/odd-bodies.ts'
import type { Attack } from './attack.ts'
import { everyCall, pathOf } from './calls.ts'
import { ask, mustListPart, register, statusesInWords } from './client.ts'

/** After one of these the caller is nobody, and no later call gets beyond the door. */
const ENDS_CALLER = /^(logout|endAllSessions|endSession|closeAccount)$/

/** Every call and form with every type of body, as a seller, and as an administrator where only those may. */
export const oddBodiesAttack: Attack = {
  name: 'every content type to every call and form',
  async run({ url, adminToken }) {
    const { token } = await register(url)
    const { partslug } = await mustListPart(url, token)
    const calls = (await everyCall())
      .filter(([name, { method }]) => method !== 'GET' && !ENDS_CALLER.test(name))
      .map(([name, { method, path, access, body }]) => ({
        name,
        method,
        path: pathOf(path, path.startsWith('/parts/{slug}') ? { slug: partslug } : {}),
        body,
        token: access === 'admin' ? adminToken : token,
      }))
    const forms = Object.entries(otherRoutes).flatMap(([name, [method, path]]) =>
      method === 'POST'
        ? {
            name,
            method,
            path: path.replace('{slug}', partslug).replace('{token}', 'x'),
            body: undefined,
            token,
          }
        : [],
    )
    const statuses: number[] = []
    const problems: string[] = []
    for (const { name, method, path, body: schema, token } of [...calls, ...forms]) {
      for (const { type, body, encoding } of oddBodies(schema)) {
        const headers = {
          'content-length': String(Buffer.byteLength(body)),
          'content-type': type ?? '',
          ...(encoding && { 'content-encoding': encoding }),
        }
        const { status } = await ask(url, { method, path, token, body, headers })
        statuses.push(status)
        if (status === 0 || (status >= 500 && status !== 503))
          problems.push(`${name} ${encoding ?? ''} ${type}: ${status}`)
      }
    }
    return {
      held: problems.length === 0,
      figure: `${statusesInWords(statuses)}${problems.length > 0 ? `: ${problems.slice(0, 5).join('; ')}` : ''}`,
    }
  },
}

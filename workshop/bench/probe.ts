/*
 * Another client of an installation: requests pages at a steady rate, whether or not the reply before has come, and
 * measures how long each takes. A process of its own, so that the import cannot delay it.
 */
import { replyTo } from './programs.ts'

/** With paths it starts; without, it stops and replies with what it got, in the order of the requests. */
export type ProbeOrder = { address: string; paths: string[]; everyMs: number } | 'stop'
export type Asked = { readonly path: string; readonly ms: number; readonly status: number }

const asked: Promise<Asked>[] = []
let timer: NodeJS.Timeout | undefined

async function ask(address: string, path: string): Promise<Asked> {
  const begin = performance.now()
  const status = await fetch(`${address}${path}`).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    () => 0,
  )
  return { path, ms: performance.now() - begin, status }
}

replyTo<ProbeOrder>(async (order) => {
  if (order === 'stop') {
    clearInterval(timer)
    return Promise.all(asked.splice(0))
  }
  let turn = 0
  timer = setInterval(() => {
    asked.push(ask(order.address, order.paths[turn % order.paths.length] ?? ''))
    turn += 1
  }, order.everyMs)
  return 'started'
})

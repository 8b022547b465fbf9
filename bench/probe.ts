/*
 * Another client of the same installation: asks for pages at a steady rate, whether the answer before has come or not,
 * and tells how long each took. In a process of its own, so that whoever imports cannot hold it up.
 */
import { z } from 'zod'

const order = z.object({ address: z.string(), paths: z.array(z.string()), everyMs: z.number() })

/** What it answers, in the order of asking. */
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

process.on('message', (message) => {
  if (message === 'stop') {
    clearInterval(timer)
    void Promise.all(asked.splice(0)).then((answers) => process.send?.(answers))
    return
  }
  const { address, paths, everyMs } = order.parse(message)
  let turn = 0
  timer = setInterval(() => {
    asked.push(ask(address, paths[turn % paths.length] ?? ''))
    turn += 1
  }, everyMs)
})
process.once('disconnect', () => process.exit())

import { setTimeout as sleep } from 'node:timers/promises'
import type { Attack } from './attack.ts'
import { ask, mustListPart, register, statusesInWords } from './client.ts'

const VIEWS = 300
// Views are written every few seconds.
const WRITTEN_WITHIN_MS = 20_000

async function viewsOf(url: string, token: string, id: string): Promise<number> {
  const reply = await ask(url, { path: '/api/seller/parts', token })
  const { figures } = reply.body as { figures: Record<string, { views: number } | undefined> }
  return figures[id]?.views ?? 0
}

export const viewFloods: Attack = {
  name: `${VIEWS} views of a listing from one address`,
  async run({ url }) {
    const { token } = await register(url)
    const part = await mustListPart(url, token)
    const path = `/api/parts/${part.partslug}/views`
    const view = async () => (await ask(url, { method: 'POST', path, from: '127.0.3.1' })).status
    const statuses = await Promise.all(Array.from({ length: VIEWS }, view))
    const deadline = Date.now() + WRITTEN_WITHIN_MS
    let views = 0
    while (views === 0 && Date.now() < deadline) {
      await sleep(1_000)
      views = await viewsOf(url, token, part.id)
    }
    // What is written later counts, too.
    await sleep(4_000)
    views = await viewsOf(url, token, part.id)
    return { held: views <= 1, figure: `${views} counted; ${statusesInWords(statuses)}` }
  },
}

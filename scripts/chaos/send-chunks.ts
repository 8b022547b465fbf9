import { isDeepStrictEqual } from 'node:util'
import { type ProSeller, type Sending, sendUntilAcknowledged } from '#tests/support/import-client.ts'
import type { SeedPlan } from './seed-plan.ts'

type Sender = {
  readonly addresses: readonly string[]
  readonly seller: ProSeller
  /** Gives up. */
  readonly signal: AbortSignal
}

/**
 * Sends chunks the way a plan says: in its order, some at a time, some doubled, some again later. Every answer to the
 * same chunk must be the same. Answers how many attempts it took beyond one a sending.
 */
export async function sendChunks(
  plan: Pick<SeedPlan, 'order' | 'doubled' | 'resent' | 'atOnce'>,
  sendings: readonly Sending[],
  { addresses, seller, signal }: Sender,
): Promise<number> {
  let retries = 0
  const send = async (index: number, firstAddress: number): Promise<unknown> => {
    const sending = sendings[index]
    if (!sending) throw new Error(`there is no chunk ${index}`)
    const from = firstAddress % addresses.length
    const inOrder = [...addresses.slice(from), ...addresses.slice(0, from)]
    const { reply, attempts } = await sendUntilAcknowledged(sending, { addresses: inOrder, seller, signal })
    retries += attempts - 1
    return JSON.parse(reply)
  }
  const waiting = plan.order.map((index, turn) => ({ index, turn }))
  const sendInTurn = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { index, turn } = next
      const times = plan.doubled.has(index) ? [turn, turn + 1] : [turn]
      const replies = await Promise.all(times.map((address) => send(index, address)))
      if (plan.resent.has(index)) replies.push(await send(index, turn + 1))
      const other = replies.find((reply) => !isDeepStrictEqual(reply, replies[0]))
      if (other) {
        throw new Error(
          `chunk ${index} was answered ${JSON.stringify(replies[0])}, then ${JSON.stringify(other)}`,
        )
      }
    }
  }
  await Promise.all(Array.from({ length: plan.atOnce }, sendInTurn))
  return retries
}

import { createHmac } from 'node:crypto'
import { SIMULATOR_WEBHOOK_SECRET } from './simulator.ts'

type Signing = { secret?: string; at?: Date }

/** The header that proves who sent these bytes, and when. */
export function signatureOf(
  body: string,
  { secret = SIMULATOR_WEBHOOK_SECRET, at = new Date() }: Signing = {},
) {
  const seconds = Math.floor(at.getTime() / 1_000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}

/** An event as the provider delivers it, with no more of its object than a reader needs who reads the truth again. */
export function eventBody(id: string, type: string, customer: string): string {
  const object = { id: `obj_${id}`, object: type.split('.').slice(0, -1).join('.'), customer }
  return JSON.stringify({ id, object: 'event', type, created: 1_760_000_000, data: { object } })
}

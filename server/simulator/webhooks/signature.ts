import { createHmac } from 'node:crypto'

/** The header Stripe-Signature: when the text was signed, and the signature of both. */
export function signatureOf(text: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1000)
  const signature = createHmac('sha256', secret).update(`${seconds}.${text}`).digest('hex')
  return `t=${seconds},v1=${signature}`
}

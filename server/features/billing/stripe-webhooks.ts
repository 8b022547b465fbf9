import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import { z } from 'zod'
import type { ProviderEvent, ThinEvent } from './provider.ts'

/* Proves that a delivery comes from the provider, and reads it. */

type Delivered = { body: Buffer; signature: string | undefined }

/** Tries each secret; undefined if the body is no event, or its signature is missing, wrong, too old or dated ahead. */
export function readDelivery(
  stripe: Stripe,
  secrets: readonly string[],
  delivered: Delivered,
): ProviderEvent | ThinEvent | undefined {
  for (const secret of secrets) {
    const event = verifiedEvent(stripe, { ...delivered, secret })
    if (event) return event
  }
  return undefined
}

/** Names a signing secret without giving it away. */
export const secretName = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex').slice(0, 8)

const words = z.string().min(1).max(255)
const eventShape = z.object({
  id: words,
  type: words,
  account: words.optional(),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
})
const thinShape = z.object({ id: words, type: words })

function verifiedEvent(
  stripe: Stripe,
  { body, signature = '', secret }: Delivered & { secret: string },
): ProviderEvent | ThinEvent | undefined {
  try {
    const isThin = isThinBody(body)
    const event: unknown = isThin
      ? stripe.parseEventNotification(body, signature, secret)
      : stripe.webhooks.constructEvent(body, signature, secret)
    if (isDatedAhead(signature)) return undefined
    if (isThin) return { ...thinShape.parse(event), isThin }
    const { data, ...facts } = eventShape.parse(event)
    return { ...facts, account: facts.account, object: data.object, signedBy: secretName(secret) }
  } catch {
    return undefined
  }
}

/** The SDK takes thin events and others by different calls, and proves nothing before it knows which. */
function isThinBody(body: Buffer): boolean {
  const parsed: unknown = JSON.parse(body.toString())
  return (
    typeof parsed === 'object' && parsed !== null && 'object' in parsed && parsed.object === 'v2.core.event'
  )
}

// As far back as the SDK accepts. It accepts any time ahead, and whoever captured such an event could replay it until then.
const CLOCK_SKEW_MS = 300_000

/** Each time in the header counts, however many there are: the SDK verifies only one of them. */
function isDatedAhead(signature: string): boolean {
  const times = signature.split(',').flatMap((item) => {
    const [name, seconds = ''] = item.split('=')
    return name === 't' ? [Number.parseInt(seconds, 10) * 1_000] : []
  })
  return !times.every((at) => at <= Date.now() + CLOCK_SKEW_MS)
}

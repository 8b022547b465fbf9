import { asShown } from '#server/simulator/objects/checkout-session.ts'
import { newId } from '#server/simulator/objects/stripe-id.ts'
import type { Event, EventType, KeptObjects, Kind } from '#server/simulator/objects/stripe-objects.ts'
import { API_VERSION } from '#server/simulator/objects/stripe-objects.ts'
import type { Work } from '#server/simulator/simulator.ts'
import { insertDelivery } from '#server/simulator/state/delivery-queries.ts'
import { insertObject, updateObject } from '#server/simulator/state/object-queries.ts'

/** Keeps what happened to an object, and sends it to the webhook once the work stands. */
export async function recordEvent(
  work: Work,
  type: EventType,
  object: KeptObjects[Kind],
  previous?: object,
): Promise<void> {
  const event: Event = {
    id: newId('evt'),
    object: 'event',
    ...(object.object === 'account' && { account: object.id }),
    api_version: API_VERSION,
    created: work.now,
    data: {
      object: object.object === 'checkout.session' ? asShown(object) : object,
      ...(previous && { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: 1,
    request: work.request,
    type,
  }
  await insertObject(work.db, event, ownerOf(object))
  const { delayMs, duplicate, hold } = work.simulator.behaviour.webhooks
  const delivery = { eventId: event.id, dueAt: new Date(Date.now() + delayMs), held: hold }
  await insertDelivery(work.db, delivery)
  if (duplicate) await insertDelivery(work.db, delivery)
}

/** Changes an object and says so: the event carries what the changed fields were before. */
export async function changeObject<Kept extends KeptObjects[Kind]>(
  work: Work,
  object: Kept,
  change: { readonly fields: Partial<Kept>; readonly type: EventType },
): Promise<Kept> {
  const changed: Kept = { ...object, ...change.fields }
  const names = Object.keys(change.fields) as (keyof Kept)[]
  const before = names
    .filter((name) => JSON.stringify(object[name]) !== JSON.stringify(changed[name]))
    .map((name) => [name, object[name]])
  await updateObject(work.db, changed)
  await recordEvent(work, change.type, changed, Object.fromEntries(before))
  return changed
}

function ownerOf(object: KeptObjects[Kind]): string | null {
  if (object.object === 'account' || object.object === 'customer') return object.id
  const customer = 'customer' in object ? object.customer : null
  return typeof customer === 'string' ? customer : null
}

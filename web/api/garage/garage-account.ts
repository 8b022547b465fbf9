import type { Garage, GarageChanges } from '#contract/account/garage.ts'
import { MAX_CHANGES } from '#contract/pages/garage-limits.ts'
import type { routes } from '#contract/routes.ts'
import { currentSession } from '#web/api/session.ts'
import { changeGarage, currentGarage, type Kept, type KeptPart, keyOf, type Vehicle } from './garage.ts'

/*
 * Syncs vehicles and saved parts with the signed-in user's account. What was saved before the sign-in is added to the account;
 * from then on the device sends its changes and adopts the reply, so that removals on other devices apply here too.
 */

// Not through the contract's client, which public pages do not load.
const ADDRESS: `/api${(typeof routes)['changeGarage'][1]}` = '/api/profile/garage'

let syncing: Promise<void> | undefined

/** Syncs with the account; after a failure, the changes are sent next time. Concurrent calls share one sync. */
export function syncGarage(): Promise<void> {
  syncing ??= sync().finally(() => {
    syncing = undefined
  })
  return syncing
}

async function sync(): Promise<void> {
  const { token, user } = currentSession()
  if (token === undefined) return
  changeGarage((kept) => ownedBy(kept, user.id))
  for (let sends = true; sends; sends = Object.keys(currentGarage().unsent).length > 0) {
    const sent = Object.fromEntries(Object.entries(currentGarage().unsent).slice(0, MAX_CHANGES))
    const reply = await send(changesOf({ ...currentGarage(), unsent: sent }, Date.now()), token)
    // The user signed out, or someone else signed in: ignore the reply.
    if (!reply || currentGarage().owner !== user.id || currentSession().token !== token) return
    changeGarage((kept) => withAccount(kept, { reply, sent }))
  }
}

async function send(changes: GarageChanges, token: string): Promise<Garage | undefined> {
  const isAsking = changes.vehicles.length + changes.parts.length === 0
  const response = await fetch(ADDRESS, {
    method: isAsking ? 'GET' : 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(!isAsking && { body: JSON.stringify(changes) }),
  }).catch(() => undefined)
  return response?.ok ? ((await response.json().catch(() => undefined)) as Garage | undefined) : undefined
}

/** Items without an owner become the user's; another user's items are dropped. */
export function ownedBy(kept: Kept, userId: string): Kept {
  if (kept.owner === userId) return kept
  if (kept.owner !== undefined) {
    return { vehicles: [], saved: [], seen: [], compared: [], owner: userId, unsent: {} }
  }
  const own = [...kept.vehicles, ...kept.saved].map((one) => [keyOf(one), one.at] as const)
  return { ...kept, owner: userId, unsent: Object.fromEntries(own) }
}

/** The changes that the account does not have yet; a key without its item was removed. */
export function changesOf({ vehicles, saved, unsent }: Kept, now: number): GarageChanges {
  const here = new Set([...vehicles, ...saved].map(keyOf))
  const changes = Object.entries(unsent).map(([key, at]) => {
    const [id = '', year] = key.split(' ')
    return { id, year, removed: !here.has(key), agoMs: Math.max(0, Math.round(now - at)) }
  })
  return {
    vehicles: changes.flatMap(({ id, year, ...change }) =>
      year === undefined ? [] : [{ ...change, modelId: id, year: Number(year) }],
    ),
    parts: changes.flatMap(({ year, ...change }) => (year === undefined ? [change] : [])),
  }
}

type Reply = { reply: Garage; sent: Kept['unsent'] }

/** The account's items, except those that changed here since the request. */
export function withAccount(kept: Kept, { reply, sent }: Reply): Kept {
  const unsent = Object.fromEntries(Object.entries(kept.unsent).filter(([key, at]) => sent[key] !== at))
  const titles = new Map([...kept.saved, ...kept.seen].map(({ id, title }) => [id, title]))
  const merged = <Item extends Vehicle | KeptPart>(here: readonly Item[], there: readonly Item[]) =>
    [...here.filter((one) => keyOf(one) in unsent), ...there.filter((one) => !(keyOf(one) in unsent))].sort(
      (a, b) => b.at - a.at,
    )
  return {
    ...kept,
    vehicles: merged(
      kept.vehicles,
      reply.vehicles.map(({ usedAt, ...vehicle }) => ({ ...vehicle, at: Date.parse(usedAt) })),
    ),
    saved: merged(
      kept.saved,
      reply.parts.map(({ id, savedAt }) => ({ id, title: titles.get(id) ?? '', at: Date.parse(savedAt) })),
    ),
    unsent,
  }
}

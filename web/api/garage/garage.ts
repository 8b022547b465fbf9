import { useSyncExternalStore } from 'react'
import { MOST_COMPARED, MOST_SAVED, MOST_VEHICLES } from '#contract/pages/garage-limits.ts'
import { isRecord, parseRecord, readText, removeText, writeText } from '#web/api/browser-storage.ts'

/*
 * A buyer's vehicles, and the parts they saved, compared and looked at, in this browser's storage. It may be blocked, full,
 * or hold what an older app or another program wrote. Every change reads it again first, since another tab may have written;
 * if it cannot be written, changes last as long as this tab. garage-account.ts brings vehicles and saved parts to the account.
 */

export type Vehicle = {
  year: number
  manuId: string
  make: string
  modelId: string
  model: string
  /** When it was added or last chosen: the first of the list is the one to search for. */
  at: number
}

/** Its title is for when its card is gone; parts that came from the account have none. */
export type KeptPart = { id: string; title: string; at: number }

export type Kept = {
  vehicles: readonly Vehicle[]
  saved: readonly KeptPart[]
  seen: readonly KeptPart[]
  /** In the order in which they were chosen; the other lists begin with the latest. */
  compared: readonly KeptPart[]
  /** The user that vehicles and saved parts belong to; undefined if nobody has signed in since. */
  owner?: string
  /** When the things were added or removed that the account does not know of yet, by their keys. */
  unsent: Readonly<Record<string, number>>
}

const STORAGE_KEY = 'garage'

/** Enough to find the way back to what one looked at today. */
const MOST_SEEN = 24

const nothing: Kept = { vehicles: [], saved: [], seen: [], compared: [], unsent: {} }

/** The car's key is never one of a part, which is the part's id. */
export const keyOf = (kept: Pick<Vehicle, 'modelId' | 'year'> | Pick<KeptPart, 'id'>): string =>
  'id' in kept ? kept.id : `${kept.modelId} ${kept.year}`

export const nameOf = ({ year, make, model }: Vehicle): string => `${year} ${make} ${model}`

const isId = (value: unknown): value is string => typeof value === 'string' && /^[\da-f-]{36}$/.test(value)
/** In milliseconds, since this product exists. */
const isTime = (value: unknown): value is number =>
  typeof value === 'number' && value > 1.7e12 && value < 1e14

const isVehicle = (value: unknown): value is Vehicle =>
  isRecord(value) &&
  /^(19|20)\d\d$/.test(String(value.year)) &&
  isId(value.manuId) &&
  isId(value.modelId) &&
  typeof value.make === 'string' &&
  typeof value.model === 'string' &&
  isTime(value.at)

const isPart = (value: unknown): value is KeptPart =>
  isRecord(value) && isId(value.id) && typeof value.title === 'string' && isTime(value.at)

/** The items of a stored list that are what they should be, each once. */
function listOf<Item extends Vehicle | KeptPart>(
  value: unknown,
  is: (item: unknown) => item is Item,
  most: number,
): Item[] {
  const items = Array.isArray(value) ? value.filter(is) : []
  return [...new Map(items.toReversed().map((item) => [keyOf(item), item])).values()]
    .toReversed()
    .slice(0, most)
}

/** Parses what is stored; anything else counts as nothing. */
export function parseKept(text: string | null): Kept {
  const { vehicles, saved, seen, compared, owner, unsent } = parseRecord(text) ?? {}
  const times = Object.entries(isRecord(unsent) ? unsent : {}).filter(
    ([key, at]) => /^[\da-f-]{36}( (19|20)\d\d)?$/.test(key) && isTime(at),
  )
  return {
    vehicles: listOf(vehicles, isVehicle, MOST_VEHICLES),
    saved: listOf(saved, isPart, MOST_SAVED),
    seen: listOf(seen, isPart, MOST_SEEN),
    compared: listOf(compared, isPart, MOST_COMPARED),
    ...(typeof owner === 'string' && { owner }),
    unsent: Object.fromEntries(times) as Record<string, number>,
  }
}

let read: { text: string | null; kept: Kept } | undefined
/** Of this tab alone, while the storage takes nothing. */
let unstored: Kept | undefined
const listeners = new Set<() => void>()

export function currentGarage(): Kept {
  if (unstored) return unstored
  const text = readText(STORAGE_KEY)
  if (read?.text !== text) read = { text, kept: parseKept(text) }
  return read?.kept ?? nothing
}

/** What is kept; the server, and a page that becomes alive, know nothing of it. */
export function useGarage(): Kept {
  return useSyncExternalStore(subscribe, currentGarage, () => nothing)
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener('storage', followOtherTab)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
    if (listeners.size === 0) window.removeEventListener('storage', followOtherTab)
  }
}

function followOtherTab({ key }: StorageEvent): void {
  if (key === STORAGE_KEY || key === null) notify()
}

function notify(): void {
  for (const listener of listeners) listener()
}

export function changeGarage(change: (kept: Kept) => Kept): void {
  const next = change(currentGarage())
  unstored = writeText(STORAGE_KEY, JSON.stringify(next)) ? undefined : next
  notify()
}

/** Called at sign-out: the next user of this computer may be someone else. */
export function forgetGarage(): void {
  removeText(STORAGE_KEY)
  unstored = undefined
  notify()
}

/** A list with this item first, and without an older one of the same key. */
const withFirst = <Item extends Vehicle | KeptPart>(items: readonly Item[], item: Item): Item[] => [
  item,
  ...items.filter((other) => keyOf(other) !== keyOf(item)),
]

/** Notes for the account what changed, once there is one. */
const unsentWith = ({ owner, unsent }: Kept, key: string, at: number) =>
  owner === undefined ? unsent : { ...unsent, [key]: at }

/** Adds a vehicle, or puts it first as the one to search for. Returns false if the garage is full. */
export function chooseVehicle(vehicle: Omit<Vehicle, 'at'>): boolean {
  const key = keyOf(vehicle)
  const { vehicles } = currentGarage()
  if (vehicles.length >= MOST_VEHICLES && !vehicles.some((one) => keyOf(one) === key)) return false
  const at = Date.now()
  changeGarage((kept) => ({
    ...kept,
    vehicles: withFirst(kept.vehicles, { ...vehicle, at }),
    unsent: unsentWith(kept, key, at),
  }))
  return true
}

export function removeVehicle(vehicle: Vehicle): void {
  const key = keyOf(vehicle)
  changeGarage((kept) => ({
    ...kept,
    vehicles: kept.vehicles.filter((one) => keyOf(one) !== key),
    unsent: unsentWith(kept, key, Date.now()),
  }))
}

type Part = Omit<KeptPart, 'at'>

export const isIn = (parts: readonly KeptPart[], { id }: Pick<Part, 'id'>): boolean =>
  parts.some((one) => one.id === id)

/** Saves a part or, if it is saved, no longer. Returns false if there are too many. */
export function toggleSaved({ id, title }: Part): boolean {
  const { saved } = currentGarage()
  const was = isIn(saved, { id })
  if (!was && saved.length >= MOST_SAVED) return false
  const at = Date.now()
  changeGarage((kept) => ({
    ...kept,
    saved: was ? kept.saved.filter((one) => one.id !== id) : withFirst(kept.saved, { id, title, at }),
    unsent: unsentWith(kept, id, at),
  }))
  return true
}

/** Compares a part or, if it is compared, no longer. Returns false if there are too many. */
export function toggleCompared({ id, title }: Part): boolean {
  const { compared } = currentGarage()
  const was = isIn(compared, { id })
  if (!was && compared.length >= MOST_COMPARED) return false
  changeGarage((kept) => ({
    ...kept,
    compared: was
      ? kept.compared.filter((one) => one.id !== id)
      : [...kept.compared.filter((one) => one.id !== id), { id, title, at: Date.now() }],
  }))
  return true
}

export const clearCompared = (): void => changeGarage((kept) => ({ ...kept, compared: [] }))

export function noteSeen({ id, title }: Part): void {
  changeGarage((kept) => ({
    ...kept,
    seen: withFirst(kept.seen, { id, title, at: Date.now() }).slice(0, MOST_SEEN),
  }))
}

export const clearSeen = (): void => changeGarage((kept) => ({ ...kept, seen: [] }))

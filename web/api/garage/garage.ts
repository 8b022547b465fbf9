import { useSyncExternalStore } from 'react'
import { MAX_COMPARED, MAX_SAVED, MAX_VEHICLES } from '#contract/pages/garage-limits.ts'
import { isRecord, parseRecord, readText, removeText, writeText } from '#web/api/browser-storage.ts'

/*
 * A buyer's vehicles, and the parts they saved, compared and viewed, in this browser's storage, which may be blocked, full,
 * or written by an older version or another program. Every change reads it again first, since another tab may have written;
 * if it cannot be written, changes last as long as this tab. garage-account.ts syncs vehicles and saved parts with the account.
 */

export type Vehicle = {
  year: number
  manuId: string
  make: string
  modelId: string
  model: string
  /** When it was added or last chosen. The first in the list is the one to search for. */
  at: number
}

/** The title is for parts that no longer have a card; parts from the account have none. */
export type KeptPart = { id: string; title: string; at: number }

export type Kept = {
  vehicles: readonly Vehicle[]
  saved: readonly KeptPart[]
  seen: readonly KeptPart[]
  /** In the order chosen; the other lists are newest first. */
  compared: readonly KeptPart[]
  /** The user that vehicles and saved parts belong to; undefined if nobody has signed in since. */
  owner?: string
  /** Additions and removals that the account does not have yet: the time of each, by key. */
  unsent: Readonly<Record<string, number>>
}

const STORAGE_KEY = 'garage'

/** Enough to find what was viewed earlier today. */
const MOST_SEEN = 24

const nothing: Kept = { vehicles: [], saved: [], seen: [], compared: [], unsent: {} }

/** A vehicle's key contains a space, so it never equals a part's key, which is an id. */
export const keyOf = (kept: Pick<Vehicle, 'modelId' | 'year'> | Pick<KeptPart, 'id'>): string =>
  'id' in kept ? kept.id : `${kept.modelId} ${kept.year}`

export const nameOf = ({ year, make, model }: Vehicle): string => `${year} ${make} ${model}`

const isId = (value: unknown): value is string => typeof value === 'string' && /^[\da-f-]{36}$/.test(value)
/** In milliseconds; earlier times are impossible. */
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

/** The valid items of a stored list, without duplicates. */
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

/** Parses the stored garage; invalid content counts as empty. */
export function parseKept(text: string | null): Kept {
  const { vehicles, saved, seen, compared, owner, unsent } = parseRecord(text) ?? {}
  const times = Object.entries(isRecord(unsent) ? unsent : {}).filter(
    ([key, at]) => /^[\da-f-]{36}( (19|20)\d\d)?$/.test(key) && isTime(at),
  )
  return {
    vehicles: listOf(vehicles, isVehicle, MAX_VEHICLES),
    saved: listOf(saved, isPart, MAX_SAVED),
    seen: listOf(seen, isPart, MOST_SEEN),
    compared: listOf(compared, isPart, MAX_COMPARED),
    ...(typeof owner === 'string' && { owner }),
    unsent: Object.fromEntries(times) as Record<string, number>,
  }
}

let read: { text: string | null; kept: Kept } | undefined
/** This tab's changes while they cannot be stored. */
let unstored: Kept | undefined
const listeners = new Set<() => void>()

export function currentGarage(): Kept {
  if (unstored) return unstored
  const text = readText(STORAGE_KEY)
  if (read?.text !== text) read = { text, kept: parseKept(text) }
  return read?.kept ?? nothing
}

/** The garage; empty on the server and during hydration. */
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

/** A list with this item first, replacing an older one with the same key. */
const withFirst = <Item extends Vehicle | KeptPart>(items: readonly Item[], item: Item): Item[] => [
  item,
  ...items.filter((other) => keyOf(other) !== keyOf(item)),
]

/** Notes what changed for the account, if there is one. */
const unsentWith = ({ owner, unsent }: Kept, key: string, at: number) =>
  owner === undefined ? unsent : { ...unsent, [key]: at }

/** Adds a vehicle, or puts it first as the one to search for. Returns false if the garage is full. */
export function chooseVehicle(vehicle: Omit<Vehicle, 'at'>): boolean {
  const key = keyOf(vehicle)
  const { vehicles } = currentGarage()
  if (vehicles.length >= MAX_VEHICLES && !vehicles.some((one) => keyOf(one) === key)) return false
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

/** Saves a part, or removes a saved one. Returns false if there are too many. */
export function toggleSaved({ id, title }: Part): boolean {
  const { saved } = currentGarage()
  const was = isIn(saved, { id })
  if (!was && saved.length >= MAX_SAVED) return false
  const at = Date.now()
  changeGarage((kept) => ({
    ...kept,
    saved: was ? kept.saved.filter((one) => one.id !== id) : withFirst(kept.saved, { id, title, at }),
    unsent: unsentWith(kept, id, at),
  }))
  return true
}

/** Adds a part to the comparison, or removes it. Returns false if there are too many. */
export function toggleCompared({ id, title }: Part): boolean {
  const { compared } = currentGarage()
  const was = isIn(compared, { id })
  if (!was && compared.length >= MAX_COMPARED) return false
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

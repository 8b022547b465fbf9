import type { ListingDefaults } from '#contract/accounts.ts'
import { readFromDevice } from '#web/api/device-copies.ts'

const names = ['city', 'state', 'dealerName', 'dealerPhone', 'grade', 'shipping'] as const

/** The spec's record under 'listingDefaults'; whatever is not a text in it counts as not set. */
export function readListingDefaults(stored: string | null): ListingDefaults {
  const record = parse(stored)
  if (typeof record !== 'object' || record === null) return {}
  const kept = record as Record<string, unknown>
  return Object.fromEntries(
    names.filter((name) => typeof kept[name] === 'string').map((name) => [name, kept[name]]),
  )
}

/** What this device remembers for new listings. */
export const deviceListingDefaults = (): ListingDefaults =>
  readListingDefaults(readFromDevice('listingDefaults'))

export type FilledDefaults = Record<keyof ListingDefaults, string>

/** Device first, account second: the device's defaults are what this person typed here last. */
export function joinedDefaults(device: ListingDefaults, account: ListingDefaults): FilledDefaults {
  const choose = (name: keyof ListingDefaults) => device[name]?.trim() || account[name]?.trim() || ''
  return Object.fromEntries(names.map((name) => [name, choose(name)])) as FilledDefaults
}

function parse(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null')
  } catch {
    return null
  }
}

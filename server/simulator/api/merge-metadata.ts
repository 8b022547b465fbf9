import type { Metadata } from '#server/simulator/objects/stripe-objects.ts'

/** New pairs join the old ones, an empty value takes its pair away, an empty set takes all away. */
export function mergeMetadata(old: Metadata, given: Metadata | undefined): Metadata {
  if (given === undefined) return old
  if (Object.keys(given).length === 0) return {}
  return Object.fromEntries(Object.entries({ ...old, ...given }).filter(([, value]) => value !== ''))
}

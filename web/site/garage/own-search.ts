import { currentGarage } from '#web/api/garage/garage.ts'
import { partsSearch } from '#web/paths.ts'
import { partsFor } from './vehicle-chips.tsx'

// A search must not wait longer to learn whether its words name a vehicle.
const WAIT_MS = 1_000

/**
 * The list for words that someone searches for: of their own vehicle, unless the words name another, a number or a seller.
 * The address says so, and a chip there removes it.
 */
export async function ownSearch(words: string): Promise<string> {
  const [vehicle] = currentGarage().vehicles
  if (!vehicle || words === '' || !(await isOfAnyVehicle(words))) return partsSearch(words)
  return partsFor(vehicle, new URLSearchParams({ q: words }))
}

async function isOfAnyVehicle(words: string): Promise<boolean> {
  const query = new URLSearchParams({ q: words, whole: '1' })
  try {
    const reply = await fetch(`/api/search/suggestions?${query}`, { signal: AbortSignal.timeout(WAIT_MS) })
    return reply.ok && ((await reply.json()) as { isOfAnyVehicle?: boolean }).isOfAnyVehicle === true
  } catch {
    return false
  }
}

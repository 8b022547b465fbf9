import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { MOST_CHANGES, MOST_SAVED, MOST_VEHICLES } from '#contract/pages/garage-limits.ts'

/*
 * A buyer's vehicles and saved parts, the same on every device where they are signed in. A device sends what changed on it
 * and keeps the reply. Of two changes of the same thing the later one wins, so that changes may be sent twice, late, or by
 * several devices.
 */

const DECADE_MS = 10 * 365 * 86_400_000

const change = z.object({
  /** How long ago it was, so that a device with a wrong clock does not win or lose. */
  agoMs: z.int().min(0).max(DECADE_MS),
  removed: z.boolean().default(false),
})

const vehicleChange = change.extend({ modelId: z.uuid(), year: z.int().min(1900).max(2100) })
const partChange = change.extend({ id: z.uuid() })

const garageChanges = z.object({
  vehicles: z.array(vehicleChange).max(MOST_CHANGES).default([]),
  parts: z.array(partChange).max(MOST_CHANGES).default([]),
})
export type GarageChanges = z.output<typeof garageChanges>

/** Latest first. */
const garage = z.object({
  vehicles: z.array(
    z.object({
      year: z.int(),
      manuId: z.uuid(),
      make: z.string(),
      modelId: z.uuid(),
      model: z.string(),
      /** When it was added or last chosen. */
      usedAt: z.string(),
    }),
  ),
  /** Also parts that were sold or hidden since; their cards are public or missing. */
  parts: z.array(z.object({ id: z.uuid(), savedAt: z.string() })),
})
export type Garage = z.infer<typeof garage>

export const garageEndpoints = endpoints({
  readGarage: {
    summary: 'Your vehicles and saved parts',
    reply: garage,
    errors: ['SIGNED_OUT'],
  },
  changeGarage: {
    summary: `Add and remove vehicles and saved parts; the latest ${MOST_VEHICLES} and ${MOST_SAVED} stay`,
    body: garageChanges,
    reply: garage,
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED'],
  },
})

import { z } from 'zod'
import { endpoints } from '#contract/endpoint.ts'
import { MAX_CHANGES, MAX_SAVED, MAX_VEHICLES } from '#contract/pages/garage-limits.ts'

/*
 * A buyer's vehicles and saved parts, synced across signed-in devices. A device sends its changes and keeps the reply.
 * The later of two changes to an item wins, so changes may be sent twice, late, or by several devices.
 */

const DECADE_MS = 10 * 365 * 86_400_000

const change = z.object({
  /** How long ago the change was made; relative, so that a wrong clock does not matter. */
  agoMs: z.int().min(0).max(DECADE_MS),
  removed: z.boolean().default(false),
})

const vehicleChange = change.extend({ modelId: z.uuid(), year: z.int().min(1900).max(2100) })
const partChange = change.extend({ id: z.uuid() })

const garageChanges = z.object({
  vehicles: z.array(vehicleChange).max(MAX_CHANGES).default([]),
  parts: z.array(partChange).max(MAX_CHANGES).default([]),
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
  /** Includes parts that were sold or hidden since then; their cards may be missing. */
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
    summary: `Add and remove vehicles and saved parts; the latest ${MAX_VEHICLES} and ${MAX_SAVED} stay`,
    body: garageChanges,
    reply: garage,
    errors: ['SIGNED_OUT', 'VALIDATION_FAILED'],
  },
})

import type { PartFit } from '#contract/pages/part-page.ts'
import type { VinVehicle } from '#contract/vehicle/vin.ts'
import { rowOf, verdictOf } from '#web/site/garage/fits-vehicles.tsx'

/* What a buyer's VIN says about the part. Loaded when a VIN is typed. */

export type VinFit = { tone: 'good' | 'warning' | 'plain'; text: string }

async function read<T>(url: string, signal: AbortSignal): Promise<{ reply?: T; error?: string }> {
  const response = await fetch(url, { signal }).catch(() => undefined)
  const reply = (await response?.json().catch(() => undefined)) as (T & { error?: string }) | undefined
  if (response?.ok && reply) return { reply }
  return response?.status === 422 && reply?.error ? { error: reply.error } : {}
}

/** Whether a part fits the vehicle of a VIN, in a sentence; undefined if nothing is known. */
export async function readVinFit(
  vin: string,
  listingId: string,
  signal: AbortSignal,
): Promise<VinFit | undefined> {
  const { reply: vehicle, error } = await read<VinVehicle>(`/api/vin/${encodeURIComponent(vin)}`, signal)
  if (error) return { tone: 'warning', text: error }
  if (!vehicle) return undefined
  const { valid, problems, year, make, model, modelId } = vehicle
  if (!valid) return { tone: 'warning', text: problems[0] ?? 'This VIN has a typo.' }
  const name = [year, make, model].filter(Boolean).join(' ')
  if (year === null || modelId === null) {
    return name === '' ? undefined : { tone: 'plain', text: `This VIN is a ${name}.` }
  }
  const query = new URLSearchParams({ ids: listingId, modelIds: modelId })
  const { reply } = await read<{ items: { fits: PartFit[] }[] }>(`/api/parts/fits?${query}`, signal)
  if (!reply) return { tone: 'plain', text: `This VIN is a ${name}.` }
  const { fits, row } = verdictOf(reply.items[0]?.fits ?? [], { modelId, year })
  if (fits) return { tone: 'good', text: `Fits your ${name}.` }
  return {
    tone: 'warning',
    text:
      fits === false && row
        ? `Doesn’t fit your ${name}. The seller lists ${rowOf(row)}.`
        : `This VIN is a ${name}. The seller doesn’t list this part for it: ask before you buy.`,
  }
}

import { useEffect, useSyncExternalStore } from 'react'
import { MAX_FITTED } from '#contract/pages/garage-limits.ts'
import type { PartFit } from '#contract/pages/part-page.ts'
import { useGarage, type Vehicle } from '#web/api/garage/garage.ts'
import { verdictOf } from './fits-vehicles.tsx'
import classes from './garage.module.css'
import { briefly } from './vehicle-chips.tsx'

/* Whether parts in a list fit the buyer's vehicles. One call asks for all cards that a page shows. */

/** Per part and models of the garage, the rows with these models. */
const known = new Map<string, readonly PartFit[]>()
const listeners = new Set<() => void>()
const waiting = new Map<string, Set<string>>()

const keyOf = (id: string, models: string) => `${id} ${models}`

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function ask(id: string, models: string): void {
  if (models === '' || known.has(keyOf(id, models))) return
  if (waiting.size === 0) setTimeout(askAll)
  waiting.set(models, (waiting.get(models) ?? new Set()).add(id))
}

function askAll(): void {
  const asked = [...waiting]
  waiting.clear()
  for (const [models, ids] of asked) {
    for (let from = 0; from < ids.size; from += MAX_FITTED) {
      void read([...ids].slice(from, from + MAX_FITTED), models)
    }
  }
}

/** Without a reply, cards show nothing, and the next page tries again. */
async function read(ids: readonly string[], models: string): Promise<void> {
  const query = new URLSearchParams({ ids: ids.join(), modelIds: models })
  const reply = await fetch(`/api/parts/fits?${query}`).catch(() => undefined)
  if (!reply?.ok) return
  const { items } = (await reply.json()) as { items: { id: string; fits: PartFit[] }[] }
  for (const { id, fits } of items) known.set(keyOf(id, models), fits)
  for (const listener of listeners) listener()
}

/** The buyer's first vehicle that the part fits, or else the one used last; undefined until it is known. */
function useFit(id: string): { vehicle: Vehicle; fits: boolean | undefined } | undefined {
  const { vehicles } = useGarage()
  const models = [...new Set(vehicles.map(({ modelId }) => modelId))].sort().join()
  const rows = useSyncExternalStore(subscribe, () => known.get(keyOf(id, models)))
  useEffect(() => ask(id, models), [id, models])
  const all = rows && vehicles.map((vehicle) => ({ vehicle, fits: verdictOf(rows, vehicle).fits }))
  return all?.find(({ fits }) => fits) ?? all?.[0]
}

const words: Record<string, string> = { true: 'Fits', false: 'Doesn’t fit', undefined: 'Not confirmed for' }

type CardFitProps = {
  part: { id: string }
  /** Also if the seller says nothing of the vehicle. */
  always?: boolean
  /** In a line of a list there is no room for the vehicle's name. */
  brief?: boolean
}

export function CardFit({ part: { id }, always = false, brief = false }: CardFitProps) {
  const found = useFit(id)
  if (!found || (found.fits === undefined && !always)) return null
  const { vehicle, fits } = found
  const name = `your ${briefly(vehicle)}`
  return (
    <p className={classes.cardFit} data-fits={fits} title={brief ? name : undefined}>
      {brief ? (
        <>
          {words[String(fits)]} <span className="unseen">{name}</span>
        </>
      ) : (
        `${words[String(fits)]} ${name}`
      )}
    </p>
  )
}

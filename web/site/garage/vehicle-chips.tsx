import { type RefObject, useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'react-router'
import type { CarModel, Manufacturer } from '#contract/lookups.ts'
import { MAX_VEHICLES } from '#contract/pages/garage-limits.ts'
import { namedParameters, nameSlug } from '#contract/pages/name-slugs.ts'
import { chooseVehicle, keyOf, useGarage, type Vehicle } from '#web/api/garage/garage.ts'
import { paths } from '#web/paths.ts'
import { Button } from '#web/site/button.tsx'
import { showMessage } from '#web/site/frame/messages.tsx'
import classes from './garage.module.css'

/* The buyer's vehicles next to a search: one click narrows the list to a vehicle, another widens it again. */

/** The list's own parameters. */
type Picked = Record<'make' | 'model' | 'year', string>

const pickedOf = ({ year, make, model }: Vehicle): Picked => ({
  make: nameSlug(make),
  model: nameSlug(model),
  year: String(year),
})

/** The list narrowed to a vehicle, keeping its other filters. */
export function partsFor(vehicle: Vehicle, query = new URLSearchParams()): string {
  const next = new URLSearchParams(query)
  for (const name of ['page', namedParameters.make, namedParameters.model]) next.delete(name)
  for (const [name, value] of Object.entries(pickedOf(vehicle))) next.set(name, value)
  return `${paths.parts}?${next}`
}

function partsWithout(vehicle: Vehicle, query: URLSearchParams): string {
  const next = new URLSearchParams(query)
  for (const name of ['page', ...Object.keys(pickedOf(vehicle))]) next.delete(name)
  return next.size > 0 ? `${paths.parts}?${next}` : paths.parts
}

/** "2014 Camry" */
export const briefly = ({ year, model }: Vehicle) => `${year} ${model}`

// The garage shows the others.
const MOST_SHOWN = 3

/** For a search form with the fields `year`, `make` and `model`, whose vehicle can be added. */
export function VehicleChips() {
  const { vehicles } = useGarage()
  const place = useRef<HTMLDivElement>(null)
  const { query, picked } = useForm(place)
  const isUsed = (vehicle: Vehicle) =>
    Object.entries(pickedOf(vehicle)).every(([name, value]) => query.get(name) === value)
  const isSame = (one: Picked, other: Picked) => String(Object.values(one)) === String(Object.values(other))
  const isNew = picked !== undefined && !vehicles.some((one) => isSame(pickedOf(one), picked))
  return (
    <div ref={place} className={classes.vehicles}>
      {vehicles.length > 0 && (
        <ul aria-label="Your vehicles">
          {vehicles.slice(0, MOST_SHOWN).map((vehicle, at) => (
            <li key={keyOf(vehicle)}>
              {isUsed(vehicle) ? (
                <Link
                  to={partsWithout(vehicle, query)}
                  aria-label={`Remove ${briefly(vehicle)}`}
                  className={classes.used}
                  preventScrollReset
                >
                  <span className={classes.name}>{briefly(vehicle)}</span> <span aria-hidden>×</span>
                </Link>
              ) : (
                <Link to={partsFor(vehicle, query)} onClick={() => chooseVehicle(vehicle)} preventScrollReset>
                  <span className={classes.name}>
                    {at === 0 && 'Show for my '}
                    {briefly(vehicle)}
                  </span>
                </Link>
              )}
            </li>
          ))}
        </ul>
      )}
      {isNew ? (
        <Button
          size="small"
          onClick={async () => {
            // The button disappears then.
            if (await addVehicle(picked)) place.current?.querySelector('a')?.focus()
          }}
        >
          Add to garage
        </Button>
      ) : (
        <Link to={paths.garage}>{vehicles.length === 0 ? 'Add your vehicle' : 'Your garage'}</Link>
      )}
    </div>
  )
}

/** The vehicle picked in the form around `place`, and the list's query; on other pages, the words typed in the form. */
function useForm(place: RefObject<HTMLElement | null>): {
  query: URLSearchParams
  picked: Picked | undefined
} {
  const { pathname, search } = useLocation()
  const [{ picked, words }, setForm] = useState<{ picked?: Picked | undefined; words: string }>({ words: '' })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list's form changes with its address
  useEffect(() => {
    const form = place.current?.closest('form')
    const read = () => form && setForm(readForm(new FormData(form)))
    // After a change of make, the form first has to load its models.
    const readSoon = () => setTimeout(read)
    read()
    form?.addEventListener('input', readSoon)
    return () => form?.removeEventListener('input', readSoon)
  }, [place, search])
  if (pathname === paths.parts) return { query: new URLSearchParams(search), picked }
  return { query: new URLSearchParams(words && { q: words }), picked }
}

function readForm(form: FormData): { picked?: Picked; words: string } {
  const of = (name: string) => String(form.get(name) ?? '').trim()
  const picked = { make: of('make'), model: of('model'), year: of('year') }
  return { ...(Object.values(picked).every(Boolean) && { picked }), words: of('q') }
}

/** Adds a vehicle by its slugs or ids and shows the result. Returns whether it is in the garage. */
export async function addVehicle(picked: Picked): Promise<boolean> {
  const makes = await readNames<Manufacturer>('/api/manufacturers')
  const make = makes?.find(({ id, manuname }) => picked.make === id || picked.make === nameSlug(manuname))
  const models =
    make && (await readNames<CarModel>(`/api/carmodels?${new URLSearchParams({ manuId: make.id })}`))
  const model = models?.find(({ id, carname }) => picked.model === id || picked.model === nameSlug(carname))
  if (make === undefined || model === undefined) {
    showMessage('The vehicle could not be added. Please try again.')
    return false
  }
  const isThere = chooseVehicle({
    year: Number(picked.year),
    manuId: make.id,
    make: make.manuname,
    modelId: model.id,
    model: model.carname,
  })
  showMessage(isThere ? 'Vehicle added' : `Your garage has ${MAX_VEHICLES} vehicles. Remove one first.`)
  return isThere
}

const readNames = async <Named,>(address: string): Promise<Named[] | undefined> =>
  fetch(address).then(
    (response) => (response.ok ? response.json() : undefined),
    () => undefined,
  )

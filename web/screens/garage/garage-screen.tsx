import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { Link } from 'react-router'
import type { Manufacturer } from '#contract/lookups.ts'
import type { VinVehicle } from '#contract/vehicle/vin.ts'
import {
  isIn,
  type KeptPart,
  keyOf,
  nameOf,
  removeVehicle,
  toggleSaved,
  useGarage,
  type Vehicle,
} from '#web/api/garage/garage.ts'
import { useSession } from '#web/api/session.ts'
import { ScanVin } from '#web/components/vin-scan/scan-vin.tsx'
import { loginFrom, paths } from '#web/paths.ts'
import { Button, ButtonLink } from '#web/site/button.tsx'
import { VehicleFields } from '#web/site/form/find-a-part.tsx'
import { showMessage } from '#web/site/frame/messages.tsx'
import { KeptParts, SeenParts } from '#web/site/garage/kept-parts.tsx'
import { addVehicle, partsFor } from '#web/site/garage/vehicle-chips.tsx'
import { Head } from '#web/site/head.tsx'
import { Page, Section } from '#web/site/page.tsx'
import classes from './garage.module.css'

/** A buyer's vehicles and parts, from this browser and the account. The server's page is without them, the same for everyone. */
export function Component() {
  const isHydrated = useSyncExternalStore(
    never,
    () => true,
    () => false,
  )
  return (
    <Page heading="Your garage" lead="Your vehicles, and the parts you saved or looked at.">
      <Head title="Your garage" noindex />
      <noscript>
        <p>Your garage is kept in this browser, which needs JavaScript to show it.</p>
      </noscript>
      {isHydrated && <Garage />}
    </Page>
  )
}

const never = () => () => undefined

function Garage() {
  const { saved } = useGarage()
  const isSignedIn = useSession().token !== undefined
  return (
    <>
      <p className={classes.where}>
        {isSignedIn ? (
          'Your vehicles and saved parts are on every device you log in on.'
        ) : (
          <>
            Kept in this browser only. <Link to={loginFrom(paths.garage)}>Log in</Link> to have your vehicles
            and saved parts on every device.
          </>
        )}
      </p>
      <Section id="vehicles" title="Vehicles">
        <Vehicles />
        <AddVehicle />
        <ScanVin onRead={(vin) => void addByVin(vin)} className={classes.scan} />
      </Section>
      <Section
        id="saved"
        title="Saved parts"
        more={saved.length > 0 && <span className="second">{saved.length}</span>}
      >
        <SavedParts />
      </Section>
      <SeenParts most={12} />
    </>
  )
}

function Vehicles() {
  const { vehicles } = useGarage()
  const place = useRef<HTMLDivElement>(null)
  const remove = (vehicle: Vehicle) => {
    removeVehicle(vehicle)
    showMessage('Vehicle removed')
    // The pressed button is gone.
    place.current?.focus()
  }
  return (
    <div ref={place} tabIndex={-1}>
      {vehicles.length === 0 ? (
        <p>Add the car you need parts for, and you can narrow any search to it.</p>
      ) : (
        <ul className={classes.vehicles} aria-label="Vehicles">
          {vehicles.map((vehicle) => (
            <li key={keyOf(vehicle)}>
              <strong>{nameOf(vehicle)}</strong>
              <ButtonLink to={partsFor(vehicle)} aria-label={`Find parts for ${nameOf(vehicle)}`}>
                Find parts
              </ButtonLink>
              <Button look="quiet" aria-label={`Remove ${nameOf(vehicle)}`} onClick={() => remove(vehicle)}>
                Remove
              </Button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function AddVehicle() {
  const [makes, setMakes] = useState<readonly Manufacturer[]>([])
  useEffect(() => {
    const controller = new AbortController()
    fetch('/api/manufacturers', { signal: controller.signal })
      .then(async (response) => response.ok && setMakes(await response.json()))
      .catch(() => undefined)
    return () => controller.abort()
  }, [])
  return (
    <form
      aria-label="Add a vehicle"
      className={classes.add}
      onSubmit={(event) => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        const of = (name: string) => String(form.get(name))
        void addVehicle({ make: of('make'), model: of('model'), year: of('year') })
      }}
    >
      <VehicleFields makes={makes.map(({ id, manuname }) => ({ id, name: manuname }))} required />
      <Button type="submit">Add vehicle</Button>
    </form>
  )
}

// Below this, a field is only a guess among several values.
const SURE = 0.75

async function addByVin(vin: string): Promise<void> {
  const car = await fetch(`/api/vin/${vin}`).then(
    (reply) => (reply.ok ? (reply.json() as Promise<VinVehicle>) : undefined),
    () => undefined,
  )
  const { year = null, makeId = null, modelId = null, certainty = {} } = car ?? {}
  const isSure = (['year', 'make', 'model'] as const).every((field) => (certainty[field] ?? 0) >= SURE)
  if (isSure && year !== null && makeId !== null && modelId !== null) {
    await addVehicle({ make: makeId, model: modelId, year: String(year) })
  } else showMessage(`${vin} doesn’t tell us the car. Choose its year, make and model.`)
}

/** A removed part stays visible until the user leaves the page, so that a mistake can be undone. */
function SavedParts() {
  const { saved } = useGarage()
  const [shown, setShown] = useState(saved)
  const added = saved.filter((part) => !isIn(shown, part))
  if (added.length > 0) setShown([...added, ...shown])
  if (shown.length === 0) return <p>Tap the heart on a part to save it here.</p>
  return (
    <KeptParts parts={shown} gone={(parts) => <Gone parts={parts.filter((part) => isIn(saved, part))} />} />
  )
}

function Gone({ parts }: { parts: readonly KeptPart[] }) {
  return (
    <ul className={classes.gone} aria-label="No longer for sale">
      {parts.map((part) => (
        <li key={part.id}>
          <span>{part.title || 'A part you saved'} is no longer for sale.</span>
          <Button
            size="small"
            look="quiet"
            aria-label={`Remove ${part.title || 'the part'}`}
            onClick={() => toggleSaved(part)}
          >
            Remove
          </Button>
        </li>
      ))}
    </ul>
  )
}

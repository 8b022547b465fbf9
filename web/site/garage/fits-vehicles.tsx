import { Link } from 'react-router'
import type { PartFit } from '#contract/pages/part-page.ts'
import { keyOf, nameOf, useGarage, type Vehicle } from '#web/api/garage/garage.ts'
import { paths } from '#web/paths.ts'
import { fitYears } from '#web/site/card/listing-words.ts'
import classes from './garage.module.css'

/* Whether a part fits the buyer's vehicles, on its page. */

type Verdict = { readonly fits: boolean | undefined; readonly row?: PartFit }

/**
 * Undefined if unknown: a seller who lists one model may not know about others, and the car that a part came from says
 * nothing about other years. A model that is listed with other years does not fit.
 */
export function verdictOf(
  fits: readonly PartFit[],
  { modelId, year }: Pick<Vehicle, 'modelId' | 'year'>,
): Verdict {
  const ofModel = fits.filter((fit) => fit.modelId === modelId)
  const found = ofModel.filter(({ from, to }) => from <= year && year <= to)
  // A row without details covers all such cars, not only some.
  const row = found.find(({ source, details }) => source === 'seller' && details === '') ?? found[0]
  if (row) return { fits: true, row }
  const listed = ofModel.find(({ source }) => source === 'seller')
  return listed ? { fits: false, row: listed } : { fits: undefined }
}

/** "2014–2017 Camry (V6)" */
export const rowOf = (fit: PartFit) =>
  `${fitYears(fit)} ${fit.vehicle}${fit.details === '' ? '' : ` (${fit.details})`}`

// The garage shows the others.
const MOST_SHOWN = 3

/** A line for each of the buyer's vehicles, the one chosen last first. */
export function FitsVehicles({ fits }: { fits: readonly PartFit[] }) {
  const { vehicles } = useGarage()
  if (vehicles.length === 0) {
    return (
      <p className={classes.verdict}>
        <Link to={paths.garage}>Add your vehicle</Link> to see if it fits
      </p>
    )
  }
  return (
    <ul className={classes.verdicts} aria-label="Your vehicles">
      {vehicles.slice(0, MOST_SHOWN).map((vehicle) => (
        <VerdictLine key={keyOf(vehicle)} name={nameOf(vehicle)} verdict={verdictOf(fits, vehicle)} />
      ))}
    </ul>
  )
}

function VerdictLine({ name, verdict: { fits, row } }: { name: string; verdict: Verdict }) {
  if (fits === undefined || !row) {
    return (
      <li>
        We can’t confirm this fits your {name}. <a href="#contact">Ask the seller</a>
      </li>
    )
  }
  const sentence = fits ? `Fits your ${name}` : `Doesn’t fit your ${name}`
  return (
    <li data-fits={fits}>
      <strong>{sentence}</strong> <a href="#fits">{rowOf(row)}</a>
    </li>
  )
}

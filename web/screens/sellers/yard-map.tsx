import type { YardMap as Drawn, PublicYard } from '#contract/pages/sellers.ts'
import { DRAWING, isNameOnLeft, mapPointOf, milesOf } from '#contract/pages/yard-drawing.ts'
import classes from './seller.module.css'

const { width, height } = DRAWING
const middle = { x: width / 2, y: height / 2 }

/** The yard among the towns around it, drawn from our own ZIP code data, so that no map service sees the visitor. */
export function YardMap({ yard, map }: { yard: PublicYard; map: Drawn }) {
  const { reach, towns } = map
  const scale = scaleOf(reach)
  const here = yard.city ?? `ZIP ${yard.zip}`
  return (
    <figure className={classes.figure}>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={inWords(here, towns)}>
        {[1, 2, 3].map((ring) => (
          <circle key={ring} className={classes.ring} cx={middle.x} cy={middle.y} r={scale.units * ring} />
        ))}
        {towns.map((town) => (
          <Town
            key={`${town.name} ${town.state}`}
            town={town}
            isAbroad={town.state !== yard.state}
            reach={reach}
          />
        ))}
        <circle className={classes.halo} cx={middle.x} cy={middle.y} r="13" />
        <circle className={classes.here} cx={middle.x} cy={middle.y} r="7" />
        <text className={classes.hereName} x={middle.x} y={middle.y + 29} textAnchor="middle">
          {here}
        </text>
        <g transform={`translate(12 ${height - 14})`}>
          <path className={classes.scale} d={`M0 -5v5h${scale.units}v-5`} />
          <text className={classes.small} x={scale.units / 2} y="-8" textAnchor="middle">
            {scale.miles} mi
          </text>
        </g>
        <g transform={`translate(${width - 22} 26)`}>
          <path className={classes.needle} d="M0 -4l6 16l-6 -4l-6 4z" />
          <text className={classes.small} y="-8" textAnchor="middle">
            N
          </text>
        </g>
      </svg>
      <figcaption className="second">
        Straight-line miles from {yard.zip ? `the center of ZIP code ${yard.zip}` : here}. ZIP code data:{' '}
        <a href="https://www.geonames.org">GeoNames</a>,{' '}
        <a href="https://creativecommons.org/licenses/by/4.0/">CC BY 4.0</a>
      </figcaption>
    </figure>
  )
}

type TownProps = { town: Drawn['towns'][number]; isAbroad: boolean; reach: number }

function Town({ town, isAbroad, reach }: TownProps) {
  const spot = mapPointOf(town, reach)
  const left = isNameOnLeft(spot)
  return (
    <g transform={`translate(${spot.x.toFixed(1)} ${spot.y.toFixed(1)})`} textAnchor={left ? 'end' : 'start'}>
      <circle className={classes.town} r="3.5" />
      <text className={classes.townName} x={left ? -8 : 8} y="4">
        {town.name}
      </text>
      <text className={classes.small} x={left ? -8 : 8} y="17">
        {milesOf(town)} mi{isAbroad && `, ${town.state}`}
      </text>
    </g>
  )
}

/** A round number of miles, about a quarter of the drawing's width. */
function scaleOf(reach: number): { miles: number; units: number } {
  const miles = [5, 10, 20, 25, 50].findLast((round) => round <= reach * 0.6) ?? 5
  return { miles, units: (miles * height) / 2 / reach }
}

/** "Map of Joplin and the towns around it: Webb City, MO, 6 miles northeast; …" */
function inWords(here: string, towns: Drawn['towns']): string {
  const near = towns.toSorted((a, b) => milesOf(a) - milesOf(b))
  const listed = near.map(
    (town) => `${town.name}, ${town.state}, ${milesOf(town)} miles ${directionOf(town)}`,
  )
  return `Map of ${here} and the towns around it: ${listed.join('; ')}`
}

const directions = ['north', 'northeast', 'east', 'southeast', 'south', 'southwest', 'west', 'northwest']

function directionOf({ east, north }: { east: number; north: number }): string {
  const eighth = Math.round(Math.atan2(east, north) / (Math.PI / 4))
  return directions[(eighth + 8) % 8] ?? ''
}

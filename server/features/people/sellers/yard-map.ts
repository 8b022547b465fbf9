import { sql } from 'kysely'
import type { YardMap } from '#contract/pages/sellers.ts'
import { DRAWING, isNameOnLeft, mapPointOf } from '#contract/pages/yard-drawing.ts'
import type { Db } from '#server/platform/database/database.ts'

/* A map of a yard among the towns around it, drawn from the ZIP codes in the database without a map service. */

/** A town with its number of ZIP codes, used in place of its population. */
export type Town = YardMap['towns'][number] & { zips: number }

/** Candidate map sizes: miles from the center to the upper edge. */
const REACHES = [12, 20, 35, 60, 100]
const ENOUGH = 6
const MOST = 9

/** Reads the map around a place, with its own `town` in the middle. Null if no other town is near enough. */
export async function readYardMap(
  db: Db,
  { place, town }: { place: number | null; town: string },
): Promise<YardMap | null> {
  if (place === null) return null
  return drawMap(await readTowns(db, place, town), town)
}

/** Uses the smallest reach with enough towns, otherwise the one with the most. */
export function drawMap(towns: readonly Town[], own: string): YardMap | null {
  const drawn = REACHES.map((reach) => ({ reach, towns: chooseTowns(towns, { reach, own }) }))
  const most = Math.min(ENOUGH, Math.max(...drawn.map((each) => each.towns.length)))
  return most === 0 ? null : (drawn.find((each) => each.towns.length >= most) ?? null)
}

type Box = { left: number; right: number; top: number; bottom: number }

const { width, height } = DRAWING
const EDGE = 6
/** Space taken by the scale and compass in the corners and the yard in the middle. */
const TAKEN: readonly Box[] = [
  { left: 0, right: 120, top: height - 38, bottom: height },
  { left: width - 44, right: width, top: 0, bottom: 52 },
  { left: width / 2 - 16, right: width / 2 + 16, top: height / 2 - 15, bottom: height / 2 + 15 },
]

/** The yard's own name, below its dot. */
function boxOfYard(town: string): Box {
  const half = Math.max(20, town.length * 4)
  return { left: width / 2 - half, right: width / 2 + half, top: height / 2 + 15, bottom: height / 2 + 34 }
}

const milesAway = ({ east, north }: Town) => Math.hypot(east, north)

/** Chooses the largest towns whose names fit on the drawing; the nearest of equal size. */
function chooseTowns(
  towns: readonly Town[],
  { reach, own }: { reach: number; own: string },
): YardMap['towns'] {
  const taken = [...TAKEN, boxOfYard(own)]
  const chosen: YardMap['towns'] = []
  for (const { zips: _, ...town } of towns.toSorted(
    (a, b) => b.zips - a.zips || milesAway(a) - milesAway(b),
  )) {
    if (chosen.length === MOST) break
    const box = boxOf(town, reach)
    const isInside =
      box.left >= EDGE && box.right <= width - EDGE && box.top >= EDGE && box.bottom <= height - EDGE
    if (!isInside || taken.some((other) => overlap(box, other))) continue
    taken.push(box)
    chosen.push(town)
  }
  return chosen
}

/** The box of a dot with its name and miles next to it, in the page's small text size. */
function boxOf(town: YardMap['towns'][number], reach: number): Box {
  const spot = mapPointOf(town, reach)
  const long = Math.max(town.name.length * 7, 40) + 14
  const [left, right] = isNameOnLeft(spot) ? [spot.x - long, spot.x + 6] : [spot.x - 6, spot.x + long]
  return { left, right, top: spot.y - 12, bottom: spot.y + 20 }
}

const overlap = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

/**
 * Reads towns up to 100 miles north or south. A place is a number in hundredths of a degree (0.691 miles of latitude):
 * 36,001 × latitude + longitude (`place_at` in the database).
 */
async function readTowns(db: Db, place: number, own: string): Promise<Town[]> {
  const { rows } = await sql<Town>`
    with yard as (select ${place}::int as place)
    select z.city as name, z.state, count(*)::int as zips,
           round(avg((z.place % 36001 - yard.place % 36001) * 0.691 * cosd(place_latitude(yard.place)))::numeric, 1)::float8 as east,
           round(avg((z.place / 36001 - yard.place / 36001) * 0.691)::numeric, 1)::float8 as north
    from zip z, yard
    where z.place between yard.place - 150 * 36001 and yard.place + 150 * 36001
      and abs(z.place % 36001 - yard.place % 36001) <= 300
      and city_key(z.city) <> city_key(${own})
    group by z.state, z.city
  `.execute(db)
  return rows
}

import type { YardMap } from './sellers.ts'

/*
 * The map of a yard: the server chooses towns whose names do not overlap, and the page draws them. Has no schemas,
 * which would load zod on public pages.
 */

/** Fits a phone's screen, where one unit is one pixel. */
export const DRAWING = { width: 360, height: 260 }

type Spot = { x: number; y: number }

/** The position on the drawing of a point given in miles east and north of the yard, which is in the middle. */
export const mapPointOf = ({ east, north }: { east: number; north: number }, reach: number): Spot => ({
  x: DRAWING.width / 2 + (east * DRAWING.height) / 2 / reach,
  y: DRAWING.height / 2 - (north * DRAWING.height) / 2 / reach,
})

/** A name is to the right of its dot, or to the left in the right third. */
export const isNameOnLeft = ({ x }: Spot): boolean => x > (DRAWING.width * 2) / 3

/** Whole miles, at least 1, because a ZIP code is not an exact address. */
export const milesOf = ({ east, north }: YardMap['towns'][number]): number =>
  Math.max(1, Math.round(Math.hypot(east, north)))

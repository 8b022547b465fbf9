import type { YardMap } from './sellers.ts'

/*
 * The drawing of where a yard is: the server chooses towns whose names do not cover each other, the page draws them. Without
 * schemas, which would bring zod to public pages.
 */

/** As on the screen of a phone, where one unit is one pixel. */
export const DRAWING = { width: 360, height: 260 }

type Spot = { x: number; y: number }

/** Where a point so many miles east and north of the yard, which is in the middle, is on the drawing. */
export const spotOf = ({ east, north }: { east: number; north: number }, reach: number): Spot => ({
  x: DRAWING.width / 2 + (east * DRAWING.height) / 2 / reach,
  y: DRAWING.height / 2 - (north * DRAWING.height) / 2 / reach,
})

/** A name is right of its dot, or left of it in the right third. */
export const isNameLeft = ({ x }: Spot): boolean => x > (DRAWING.width * 2) / 3

/** "14 mi"; within half a mile "1 mi", as a ZIP code is no address. */
export const milesOf = ({ east, north }: YardMap['towns'][number]): number =>
  Math.max(1, Math.round(Math.hypot(east, north)))

/* Without schemas, which would bring zod to public pages. */

/** Vehicles in a garage; a household has a few, a shop writes down what is on its lifts. */
export const MOST_VEHICLES = 20

/** Saved parts of one buyer. */
export const MOST_SAVED = 200

/** Parts beside each other; more columns are no comparison. */
export const MOST_COMPARED = 4

/** Parts that one call reads for a buyer's own lists. */
export const MOST_CARDS = 24

/** Vehicles, and parts, in one call of a device that tells its account what changed. */
export const MOST_CHANGES = 200

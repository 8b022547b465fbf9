/* Has no schemas, which would load zod on public pages. */

/** Vehicles in a garage: a household has a few, a repair shop as many as it has lifts. */
export const MAX_VEHICLES = 20

/** Saved parts of one buyer. */
export const MAX_SAVED = 200

/** Parts compared side by side; more columns are unreadable. */
export const MAX_COMPARED = 4

/** Parts that one call reads for a buyer's own lists. */
export const MAX_CARDS = 24

/** Parts of one call for what fits, as many as a page lists. */
export const MAX_FITTED = 48

/** Maximum vehicle and part changes that a device sends in one call. */
export const MAX_CHANGES = 200

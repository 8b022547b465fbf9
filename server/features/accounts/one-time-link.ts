const MINUTE_MS = 60_000

/** Long enough to find the mail, too short for whoever opens the mailbox tomorrow. */
export const LINK_MINUTES = 30
export const LINK_LIFETIME_MS = LINK_MINUTES * MINUTE_MS

/** A person asks again once or twice; more would be somebody filling another's mailbox. */
export const LINKS_AN_HOUR = 3
export const HOUR_MS = 60 * MINUTE_MS

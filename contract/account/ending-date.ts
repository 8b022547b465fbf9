/**
 * The day on which something ends, such as a plan: "March 20, 2026 (UTC)". The one way to say it: an email does not know where
 * it is read, and must not name another day than the page does.
 */
export const endingDate = (at: Date | string): string =>
  `${new Date(at).toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })} (UTC)`

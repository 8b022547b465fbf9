/** "Nov 21, 2026, 6:38 AM", where the person is. */
export const momentWords = (iso: string): string =>
  new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' }).format(new Date(iso))

/* Months and years of the books: those of UTC, for yards and journal alike, so that all of them add up. */

export type Span = { readonly from: Date; readonly to: Date }

/** "2026-11" */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7)

export function spanOfMonth(month: string): Span {
  const from = new Date(`${month}-01T00:00:00Z`)
  return { from, to: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1)) }
}

/** Of "2026-11-30": the first instant that is no longer in it. */
export const endOfDay = (day: string): Date => new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000)

export const spanOfYear = (year: number): Span => ({
  from: new Date(Date.UTC(year, 0, 1)),
  to: new Date(Date.UTC(year + 1, 0, 1)),
})

/** "November 2026" */
export const monthInWords = (month: string): string =>
  new Intl.DateTimeFormat('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    spanOfMonth(month).from,
  )

/** "1234.50", as spreadsheets and bookkeeping programs read it; exact, as cents are whole. */
export function plainAmount(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

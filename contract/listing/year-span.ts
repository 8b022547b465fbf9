/** The model years a part fits, inclusive; most parts fit one. */
export type YearSpan = { readonly from: number; readonly to: number }

const SPAN = /^(\d{4})(?:[-–](\d{4}))?$/

/** Reads "2012" or "2012-2015", or returns undefined. */
export function readYearSpan(text: string): YearSpan | undefined {
  const [, first, last = first] = SPAN.exec(text) ?? []
  if (first === undefined) return undefined
  const span = { from: Number(first), to: Number(last) }
  return span.from <= span.to ? span : undefined
}

/** The years of a part; both null if it names no vehicle. */
export type PartYears = { readonly from: number | null; readonly to: number | null }

/** The format of forms, files and imports; '' for no years. */
export const yearSpanText = ({ from, to }: PartYears): string => {
  if (from === null) return ''
  return from === to ? `${from}` : `${from}-${to}`
}

type ListingYears = { readonly partyear: string; readonly partyearto?: string | null | undefined }

/** A listing's years as forms show them. */
export const listingYears = ({ partyear, partyearto }: ListingYears): string =>
  partyearto ? `${partyear}-${partyearto}` : partyear

/**
 * The year that an edit means. Clients that don't know year ranges send back only the first year, so that means
 * "unchanged"; to narrow a range to its first year, send both ends.
 */
export function narrowedYear(before: string, typed: string): string {
  const [was, is] = [readYearSpan(before), readYearSpan(typed)]
  return was && is && was.from !== was.to && is.to === was.from ? `${is.from}-${is.to}` : typed
}

/** Model years, first and last included. */
type YearRanges = readonly (readonly [from: number, to: number])[]

// The catalog's newest complete year: a model sold then may still be sold.
const CATALOG_UNTIL = 2024

/**
 * Whether a model was sold in any year of a span; true if either is unknown. One year of tolerance: a car built in 2011
 * may be registered as a 2010, and the catalog lacks single years.
 */
export function wasSold(years: YearRanges, span: YearSpan | undefined): boolean {
  if (years.length === 0 || span === undefined) return true
  return years.some(([from, to]) => span.to >= from - 1 && (to >= CATALOG_UNTIL || span.from <= to + 1))
}

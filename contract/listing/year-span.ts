/** The model years that a part fits, both ends in; most fit one. */
export type YearSpan = { readonly from: number; readonly to: number }

const SPAN = /^(\d{4})(?:[-–](\d{4}))?$/

/** "2012" or "2012-2015", as a listing's year is written; undefined where it is neither. */
export function readYearSpan(text: string): YearSpan | undefined {
  const [, first, last = first] = SPAN.exec(text) ?? []
  if (first === undefined) return undefined
  const span = { from: Number(first), to: Number(last) }
  return span.from <= span.to ? span : undefined
}

/** As forms, files and imports write years. */
export const yearSpanText = ({ from, to }: YearSpan): string => (from === to ? `${from}` : `${from}-${to}`)

type ListingYears = { readonly partyear: string; readonly partyearto?: string | null | undefined }

/** The years of a listing as its forms have them. */
export const listingYears = ({ partyear, partyearto }: ListingYears): string =>
  partyearto ? `${partyear}-${partyearto}` : partyear

/** The years of a listing as people read them: 2012–2015. */
export const listingYearsInWords = (listing: ListingYears): string => listingYears(listing).replace('-', '–')

/**
 * A year as an edit sends it. The first year of a span alone means "not touched", since readers that know no spans send it
 * back; who narrows a span to its first year says so with both ends.
 */
export function narrowedYear(before: string, typed: string): string {
  const [was, is] = [readYearSpan(before), readYearSpan(typed)]
  return was && is && was.from !== was.to && is.to === was.from ? `${is.from}-${is.to}` : typed
}

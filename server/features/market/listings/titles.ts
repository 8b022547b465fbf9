import { sql } from 'kysely'
import { yearSpanText } from '#contract/listing/year-span.ts'

export type TitleFields = {
  yearFrom: number | null
  yearTo: number | null
  manufacturerName: string
  modelName: string
  name: string
}

/** "2014 Ford F-150 Alternator", "2014–2017 Ford F-150 Alternator": a listing in one line. */
export function listingTitle({ yearFrom, yearTo, manufacturerName, modelName, name }: TitleFields): string {
  const years = yearSpanText({ from: yearFrom, to: yearTo }).replace('-', '–')
  return [years, manufacturerName, modelName, name].filter(Boolean).join(' ')
}

/** `listingTitle` in SQL, of a listing l. */
export const LISTING_TITLE = sql`
  concat_ws(' ', nullif(concat_ws('–', l.year_from, nullif(l.year_to, l.year_from)), ''),
            nullif(l.manufacturer_name, ''), nullif(l.model_name, ''), l.name)`

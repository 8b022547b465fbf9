import { yearSpanText } from '#contract/year-span.ts'

type Titled = { yearFrom: number; yearTo: number; manufacturerName: string; modelName: string; name: string }

/** "2014 Ford F-150 Alternator", "2014–2017 Ford F-150 Alternator": what a listing is called wherever it stands in one line. */
export function listingTitle({ yearFrom, yearTo, manufacturerName, modelName, name }: Titled): string {
  const years = yearSpanText({ from: yearFrom, to: yearTo }).replace('-', '–')
  return [years, manufacturerName, modelName, name].filter(Boolean).join(' ')
}

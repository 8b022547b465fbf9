type Titled = { yearFrom: number; manufacturerName: string; modelName: string; name: string }

/** "2014 Ford F-150 Alternator": what a listing is called wherever it stands in one line. */
export function listingTitle({ yearFrom, manufacturerName, modelName, name }: Titled): string {
  return [yearFrom, manufacturerName, modelName, name].filter(Boolean).join(' ')
}

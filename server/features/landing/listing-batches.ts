/** Listings that are linked together: those of some models, from `offset` on in the order of models, categories and ids. */
export type ListingBatch = {
  readonly modelIds: readonly (string | null)[]
  readonly offset: number
  readonly limit: number
  /** Only this one of them. */
  readonly only?: string
}

type Counted = { readonly modelId: string | null; readonly count: number }

// Some 5 MB with their links.
const LISTINGS_AT_ONCE = 1_000

/** Cuts the listings `from` to before `to` of all into batches: many small models, or a piece of a large one. */
export function* listingBatches(
  models: readonly Counted[],
  { from, to }: { from: number; to: number },
): Generator<ListingBatch> {
  let first = 0
  // Listings before the first model that is open.
  let before = 0
  let at = from
  while (at < to) {
    let model = models[first]
    while (model && before + model.count <= at) {
      before += model.count
      first += 1
      model = models[first]
    }
    if (!model) return
    const end = Math.min(at + LISTINGS_AT_ONCE, to)
    const modelIds: (string | null)[] = []
    let reach = before
    for (let next = first; next < models.length && reach < end; next += 1) {
      const { modelId, count } = models[next] ?? model
      modelIds.push(modelId)
      reach += count
    }
    yield { modelIds, offset: at - before, limit: end - at }
    at = end
  }
}

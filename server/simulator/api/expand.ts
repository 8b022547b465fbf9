import type { Simulator } from '#server/simulator/simulator.ts'
import { type Db, findAnyObject } from '#server/simulator/state/object-queries.ts'
import { StripeError } from './stripe-error.ts'

// As deep as Stripe goes.
const DEEPEST = 4

/** Puts whole objects where the answer has their ids: `customer`, `data.latest_invoice`. */
export async function expandAnswer(
  { simulator, db }: { simulator: Simulator; db: Db },
  answer: object,
  wanted: readonly string[],
): Promise<object> {
  const copy = structuredClone(answer)
  for (const path of wanted) {
    const steps = path.split('.')
    if (steps.length > DEEPEST) throw notExpandable(path)
    const load = async (id: string) =>
      simulator.catalogue.price(id) ?? simulator.catalogue.product(id) ?? (await findAnyObject(db, id))
    await expandAt(copy, steps, { path, load })
  }
  return copy
}

type Lookup = { readonly path: string; readonly load: (id: string) => Promise<object | undefined> }

async function expandAt(place: unknown, [step = '', ...rest]: readonly string[], lookup: Lookup) {
  if (Array.isArray(place)) {
    for (const item of place) await expandAt(item, [step, ...rest], lookup)
    return
  }
  if (!isRecord(place) || !(step in place)) throw notExpandable(lookup.path)
  const value = place[step]
  if (typeof value === 'string') place[step] = (await lookup.load(value)) ?? fail(lookup.path)
  if (value !== null && rest.length > 0) await expandAt(place[step], rest, lookup)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

function fail(path: string): never {
  throw notExpandable(path)
}

function notExpandable(path: string): StripeError {
  return new StripeError(400, `This property cannot be expanded (${path}).`, { param: 'expand' })
}

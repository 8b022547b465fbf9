import { parseRecord, readText, removeText, writeText } from '#web/api/browser-storage.ts'

/* Parts that a visitor wants to buy together, by yard. They are kept on the device, and nothing is held until they are ordered. */

const KEY = 'cart'

/** An event of the window. */
export const CART_CHANGED = 'cart-changed'

/** As many parts as one order can have. */
export const MOST_IN_CART = 10

/** The slugs of parts by the slug of their yard; the yard added to last comes last. */
export type Carts = Readonly<Record<string, readonly string[]>>

export function readCarts(): Carts {
  const kept = Object.entries(parseRecord(readText(KEY)) ?? {}).flatMap(([yard, slugs]) =>
    Array.isArray(slugs) ? [[yard, slugs.filter((slug) => typeof slug === 'string')] as const] : [],
  )
  return Object.fromEntries(kept.filter(([, slugs]) => slugs.length > 0))
}

function keep(carts: Carts): void {
  const kept = Object.fromEntries(Object.entries(carts).filter(([, slugs]) => slugs.length > 0))
  if (Object.keys(kept).length === 0) removeText(KEY)
  else writeText(KEY, JSON.stringify(kept))
  dispatchEvent(new Event(CART_CHANGED))
}

/** Adds a part to its yard's cart, and returns what is in it; a full cart stays as it is. */
export function addToCart(yard: string, slug: string): readonly string[] {
  const { [yard]: before = [], ...others } = readCarts()
  const slugs = before.includes(slug) || before.length >= MOST_IN_CART ? before : [...before, slug]
  keep({ ...others, [yard]: slugs })
  return slugs
}

/** Takes parts out of every cart: removed by the visitor, or ordered. */
export function takeOutOfCart(slugs: readonly string[]): void {
  const carts = Object.entries(readCarts())
  if (!carts.some(([, kept]) => kept.some((slug) => slugs.includes(slug)))) return
  keep(Object.fromEntries(carts.map(([yard, kept]) => [yard, kept.filter((slug) => !slugs.includes(slug))])))
}

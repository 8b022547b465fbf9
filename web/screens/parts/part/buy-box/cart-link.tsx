import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#web/paths.ts'
import { addToCart, MOST_IN_CART, readCarts } from '#web/site/cart.ts'
import classes from './buy-box.module.css'

/** Keeps the part to be bought together with others of its yard. */
export function CartLink({ slug, yard }: { slug: string; yard: string }) {
  const [kept, setKept] = useState<readonly string[]>([])
  // The device's carts are not known to the server.
  useEffect(() => setKept(readCarts()[yard] ?? []), [yard])
  if (!kept.includes(slug) && kept.length < MOST_IN_CART) {
    return (
      <button type="button" className={classes.link} onClick={() => setKept(addToCart(yard, slug))}>
        Add to cart{kept.length > 0 && ` with ${partsOf(kept.length)} of this yard`}
      </button>
    )
  }
  return (
    <p role="status">
      <Link to={paths.cartOf(yard)}>
        {kept.includes(slug) ? `In your cart, ${partsOf(kept.length)}` : 'Your cart of this yard is full'}
      </Link>
    </p>
  )
}

const partsOf = (count: number) => (count === 1 ? '1 part' : `${count} parts`)

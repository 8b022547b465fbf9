import { IconPackage, IconShoppingCart } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useGarage } from '#web/api/garage/garage.ts'
import { syncGarage } from '#web/api/garage/garage-account.ts'
import { useSession } from '#web/api/session.ts'
import { paths } from '#web/paths.ts'
import type { BuyerToolSet } from '#web/site/buyer-tool.tsx'
import { CART_CHANGED, readCarts } from '#web/site/cart.ts'
import header from '#web/site/frame/header.module.css'
import { useSiteFacts } from '#web/site/head.tsx'
import { Link } from '#web/site/link.tsx'
import { CardFit } from './card-fit.tsx'
import { CompareTray } from './compare.tsx'
import { FitsVehicles } from './fits-vehicles.tsx'
import { SeenParts } from './kept-parts.tsx'
import { VehicleChips } from './vehicle-chips.tsx'

/* The components for the slots of buyer-tool.tsx, except the buttons: one file of the build, loaded as a whole. */

export const others: Partial<BuyerToolSet> = {
  CardFit,
  FitsVehicles,
  VehicleChips,
  SavedCount,
  OrdersLink,
  SeenParts,
  Everywhere,
}

/** Beside the link to the garage. */
function SavedCount() {
  const { saved } = useGarage()
  if (saved.length === 0) return null
  return (
    <>
      {saved.length}
      <span className="unseen"> saved</span>
    </>
  )
}

/** In the header, where parts can be bought: the cart if something is in it, and the orders of signed-in people. */
function OrdersLink() {
  const { orders } = useSiteFacts()
  const isSignedIn = useSession().token !== undefined
  if (!orders) return null
  return (
    <>
      <CartLink />
      {isSignedIn && (
        <Link to={paths.account} className={header.iconButton} aria-label="My orders" title="My orders">
          <IconPackage size={20} stroke={1.6} aria-hidden />
        </Link>
      )}
    </>
  )
}

const countCart = () => Object.values(readCarts()).flat().length

function CartLink() {
  const [count, setCount] = useState(countCart)
  useEffect(() => {
    const countAgain = () => setCount(countCart())
    addEventListener(CART_CHANGED, countAgain)
    return () => removeEventListener(CART_CHANGED, countAgain)
  }, [])
  if (count === 0) return null
  const words = `Your cart, ${count} ${count === 1 ? 'part' : 'parts'}`
  return (
    <Link to={paths.cart} className={header.iconButton} aria-label={words} title={words}>
      <IconShoppingCart size={20} stroke={1.6} aria-hidden />
    </Link>
  )
}

/** On every page, once. */
function Everywhere() {
  const { token } = useSession()
  const unsent = Object.entries(useGarage().unsent).join()
  // biome-ignore lint/correctness/useExhaustiveDependencies: after each sign-in
  useEffect(() => void syncGarage(), [token])
  useEffect(() => {
    if (unsent !== '') void syncGarage()
  }, [unsent])
  return <CompareTray />
}

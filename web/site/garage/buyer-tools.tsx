import { IconPackage } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useGarage } from '#web/api/garage/garage.ts'
import { syncGarage } from '#web/api/garage/garage-account.ts'
import { useSession } from '#web/api/session.ts'
import { paths } from '#web/paths.ts'
import type { BuyerToolSet } from '#web/site/buyer-tool.tsx'
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

/** In the header, for signed-in people where parts can be bought. */
function OrdersLink() {
  const { orders } = useSiteFacts()
  const isSignedIn = useSession().token !== undefined
  if (!orders || !isSignedIn) return null
  return (
    <Link to={paths.account} className={header.iconButton} aria-label="My orders" title="My orders">
      <IconPackage size={20} stroke={1.6} aria-hidden />
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

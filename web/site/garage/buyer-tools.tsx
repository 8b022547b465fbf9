import { useEffect } from 'react'
import { useGarage } from '#web/api/garage/garage.ts'
import { syncGarage } from '#web/api/garage/garage-account.ts'
import { useSession } from '#web/api/session.ts'
import type { BuyerToolSet } from '#web/site/buyer-tool.tsx'
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

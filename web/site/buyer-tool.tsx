import {
  type ComponentProps,
  type ComponentType,
  createContext,
  type ElementType,
  type ReactNode,
  use,
} from 'react'
import type { Listing } from '#contract/listings.ts'
import type { PartFit } from '#contract/pages/part-page.ts'
import type { PartCard } from '#contract/pages/public-pages.ts'

/*
 * Slots for content that depends on this browser: saved and compared parts, vehicles. Pages arrive without it, the same for
 * everyone; the frame loads its script and styles later (frame/frame.tsx).
 */

/** The components of `garage/part-buttons.tsx` and `garage/buyer-tools.tsx`. */
export type BuyerToolSet = {
  CardButtons: ComponentType<{ part: PartCard }>
  CardFit: ComponentType<{ part: PartCard; brief?: boolean }>
  PageButtons: ComponentType<{ part: Listing }>
  ShareButton: ComponentType
  FitsVehicles: ComponentType<{ fits: readonly PartFit[] }>
  VehicleChips: ComponentType
  SavedCount: ComponentType
  OrdersLink: ComponentType
  SeenParts: ComponentType
  Everywhere: ComponentType
}

/** Those that are loaded. */
export const BuyerTools = createContext<Partial<BuyerToolSet>>({})

type BuyerToolProps<Name extends keyof BuyerToolSet> = {
  name: Name
  /** Of the slot, which is rendered before the tool is loaded. */
  className?: string | undefined
  /** Shown until the tool is loaded, and without script. */
  children?: ReactNode
} & ComponentProps<BuyerToolSet[Name]>

export function BuyerTool<Name extends keyof BuyerToolSet>({
  name,
  className,
  children,
  ...props
}: BuyerToolProps<Name>) {
  const Tool: ElementType | undefined = use(BuyerTools)[name]
  return <div className={className}>{Tool ? <Tool {...props} /> : children}</div>
}

import { useState } from 'react'
import type { User } from '#contract/accounts.ts'
import {
  deviceListingDefaults,
  type FilledDefaults,
  joinedDefaults,
} from '#web/components/listing-form/device-defaults.ts'
import { useSection } from './use-section.ts'

/**
 * What new listings begin with on this device: the settings show what the forms take. The account has others where
 * they were saved on another device since.
 */
export function useListingDefaults(user: User) {
  const [device, setDevice] = useState(deviceListingDefaults)
  const section = useSection(joinedDefaults(device, user.listingDefaults))
  const account = joinedDefaults({}, user.listingDefaults)
  const names = Object.keys(account) as (keyof FilledDefaults)[]
  return {
    ...section,
    account,
    inAccount: names.every((name) => section.values[name] === account[name]),
    settle: (sent: FilledDefaults) => {
      setDevice(deviceListingDefaults())
      section.settle(sent)
    },
  }
}

export type DefaultsSection = ReturnType<typeof useListingDefaults>

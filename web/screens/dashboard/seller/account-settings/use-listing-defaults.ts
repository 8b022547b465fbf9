import { useState } from 'react'
import type { User } from '#contract/accounts.ts'
import {
  deviceListingDefaults,
  type FilledDefaults,
  joinedDefaults,
} from '#web/components/listing-form/device-defaults.ts'
import { type Section, useSection } from './use-section.ts'

/** What new listings begin with on this device: the settings show what the forms take. */
export function useListingDefaults(user: User): Section<FilledDefaults> {
  const [device, setDevice] = useState(deviceListingDefaults)
  const section = useSection(joinedDefaults(device, user.listingDefaults))
  const reset = () => {
    setDevice(deviceListingDefaults())
    section.reset()
  }
  return { ...section, reset }
}

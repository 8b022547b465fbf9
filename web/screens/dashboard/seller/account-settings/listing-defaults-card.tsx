import { Button, Group, SimpleGrid, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { User } from '#contract/account/accounts.ts'
import { longestDefaults } from '#contract/listing/listing-defaults.ts'
import { stateCode } from '#contract/text/us-states.ts'
import {
  deviceListingDefaults,
  type FilledDefaults,
  joinedDefaults,
} from '#web/components/listing-form/listing-values.ts'
import { KnownPlace, useOwnYard } from '#web/components/seller/own-yard.tsx'
import { SettingsCard, useSection } from './settings-section.tsx'

const fields: { name: keyof FilledDefaults; label: string; placeholder?: string; autoComplete?: string }[] = [
  { name: 'city', label: 'City', autoComplete: 'address-level2' },
  { name: 'state', label: 'State', placeholder: 'OK', autoComplete: 'address-level1' },
  { name: 'dealerName', label: 'Dealer name', autoComplete: 'organization' },
  { name: 'dealerPhone', label: 'Dealer phone', autoComplete: 'tel' },
  { name: 'grade', label: 'Condition/grade', placeholder: 'A, B, C' },
  { name: 'shipping', label: 'Shipping', placeholder: 'Free, Flat $20, Pickup only' },
  { name: 'license', label: 'Dismantler’s license', placeholder: 'For catalytic converters' },
]

export function ListingDefaultsCard({ section }: { section: DefaultsSection }) {
  const { changed, problems, set, account, inAccount, values } = section
  const { data: yard } = useOwnYard()
  return (
    <SettingsCard
      title="Listing defaults"
      lead="Filled in on each new listing. You can change them there."
      save="Save listing defaults"
      section={section}
      canSave={changed || !inAccount}
    >
      {!changed && !inAccount && (
        <Group gap="sm">
          <Text>These are saved on this device. Your account has different ones.</Text>
          <Button variant="default" size="xs" onClick={() => set(account)}>
            Use my account’s defaults
          </Button>
        </Group>
      )}
      {yard && (
        <KnownPlace
          where="On your yard’s page"
          known={{ city: yard.city, state: yard.state, dealerPhone: yard.phone }}
          typed={values}
          onUse={set}
        />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="md">
        {fields.map(({ name, ...field }) => (
          <TextInput
            key={name}
            {...section.text(name)}
            {...field}
            error={problems[`listingDefaults.${name}`]}
            {...(name === 'dealerPhone' && { type: 'tel' })}
            {...(name === 'state' && { onBlur: () => set({ state: stateCode(section.values.state) }) })}
            maxLength={longestDefaults[name]}
          />
        ))}
      </SimpleGrid>
    </SettingsCard>
  )
}

/**
 * The defaults that listing forms use on this device. The account's can differ if they were saved on another device
 * since.
 */
export function useListingDefaults(user: User) {
  const [device, setDevice] = useState(deviceListingDefaults)
  const section = useSection(joinedDefaults(device, user.listingDefaults), {
    changesOf: (listingDefaults) => ({ listingDefaults }),
    copy: ['listingDefaults'],
    done: 'Listing defaults saved',
    failed: 'Could not save listing defaults',
    onSaved: () => setDevice(deviceListingDefaults()),
  })
  const account = joinedDefaults({}, user.listingDefaults)
  const names = Object.keys(account) as (keyof FilledDefaults)[]
  return { ...section, account, inAccount: names.every((name) => section.values[name] === account[name]) }
}

type DefaultsSection = ReturnType<typeof useListingDefaults>

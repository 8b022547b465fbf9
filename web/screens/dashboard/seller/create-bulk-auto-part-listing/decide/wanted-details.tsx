import { Button, Card, Group, SimpleGrid, Stack, Text, TextInput, Title } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { accountEndpoints } from '#contract/account/accounts.ts'
import type { ImportField } from '#contract/csv/import-fields.ts'
import type { WantedDefault } from '#contract/import-check.ts'
import { type ListingDefaults, longestDefaults } from '#contract/listing/listing-defaults.ts'
import { stateCode } from '#contract/text/us-states.ts'
import { keepUser } from '#web/api/account.ts'
import { call } from '#web/api/client.ts'
import { keepOnDevice } from '#web/api/device-copies.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { focusFirstProblem } from '#web/components/form/problems.ts'
import { deviceListingDefaults } from '#web/components/listing-form/listing-values.ts'
import { notifyError } from '#web/components/toasts.tsx'
import { withoutEmpty } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/defaults/fields-json.ts'
import type { Wizard } from '#web/screens/dashboard/seller/create-bulk-auto-part-listing/wizard/use-wizard.ts'

type Detail = {
  wanted: WantedDefault
  field: ImportField
  name: 'city' | 'state' | 'dealerName' | 'dealerPhone'
  label: string
  autoComplete: string
  type?: 'tel'
}

const details: readonly Detail[] = [
  { wanted: 'partcity', field: 'partcity', name: 'city', label: 'Town', autoComplete: 'address-level2' },
  { wanted: 'partcity', field: 'partstate', name: 'state', label: 'State', autoComplete: 'address-level1' },
  {
    wanted: 'dealerphone',
    field: 'dealerphone',
    name: 'dealerPhone',
    label: 'Phone',
    autoComplete: 'tel',
    type: 'tel',
  },
  {
    wanted: 'dealername',
    field: 'dealername',
    name: 'dealerName',
    label: 'Name of your yard',
    autoComplete: 'organization',
  },
]

type WantedDetailsProps = { wizard: Wizard; wants: readonly WantedDefault[] }

/** Where the parts are and whom to call: asked once, and kept as the seller's listing defaults. */
export function WantedDetails({ wizard, wants }: WantedDetailsProps) {
  const titleId = useId()
  const [typed, setTyped] = useState<ListingDefaults>({})
  const shown = details.filter(({ wanted }) => wants.includes(wanted))
  const { mutate: save, isPending, error } = useSaved(wizard)
  const problems = fieldProblems(error)
  if (shown.length === 0) return null

  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = event.currentTarget
    save(typed, { onError: () => focusFirstProblem(form) })
  }
  return (
    <Card component="form" onSubmit={submit} noValidate aria-labelledby={titleId}>
      <Stack gap="md">
        <div>
          <Title order={2} size="h3" id={titleId}>
            Where are these parts?
          </Title>
          <Text className="second">
            Your file doesn’t say. Buyers search near their town and call before they drive. We keep this for
            all your listings; you can change it in your account settings.
          </Text>
        </div>
        <SimpleGrid cols={{ base: 1, xs: 2, md: 4 }} spacing="md">
          {shown.map(({ name, label, autoComplete, type = 'text' }) => (
            <TextInput
              key={name}
              name={name}
              type={type}
              label={label}
              autoComplete={autoComplete}
              value={typed[name] ?? ''}
              maxLength={longestDefaults[name]}
              error={problems[`listingDefaults.${name}`]}
              onChange={(event) => setTyped({ ...typed, [name]: event.currentTarget.value })}
            />
          ))}
        </SimpleGrid>
        <Group gap="md">
          <Button
            type="submit"
            loading={isPending}
            disabled={wizard.locked || !shown.some(({ name }) => typed[name]?.trim())}
          >
            Use for these parts
          </Button>
          <Text className="second">Without it, buyers don’t find your parts by distance.</Text>
        </Group>
      </Stack>
    </Card>
  )
}

function useSaved(wizard: Wizard) {
  return useMutation({
    mutationFn: ({ state, ...typed }: ListingDefaults) => {
      const listingDefaults = { ...typed, ...(state && { state: stateCode(state) }) }
      return call(accountEndpoints.updateProfile, { body: { listingDefaults } })
    },
    onSuccess: async (user, typed) => {
      await keepUser(user)
      const saved = user.listingDefaults
      const given = details.filter(({ name }) => typed[name]?.trim())
      const kept = Object.fromEntries(given.map(({ name }) => [name, saved[name]]))
      keepOnDevice('listingDefaults', { ...deviceListingDefaults(), ...kept })
      const values = Object.fromEntries(given.map(({ field, name }) => [field, saved[name]]))
      wizard.checkWith({ defaults: withoutEmpty({ ...wizard.defaults, ...values }) })
    },
    onError: (error) => notifyError(error, 'Your details could not be saved'),
  })
}

import { Alert, Checkbox, List } from '@mantine/core'
import { restrictionsOf } from '#contract/listing/restricted-parts.ts'
import { useSession } from '#web/api/session.ts'
import { useCategories } from '#web/components/listing-lookups/lookup-queries.ts'
import { useField, useFormContext, useFormValues } from './use-listing-form.ts'

/** What a restricted part still needs, before the seller presses Save. Only the server checks for recalls. */
export function RestrictedNotice() {
  const { own } = useFormContext()
  const form = useFormValues()
  const { user } = useSession()
  const { data: categories } = useCategories()
  const { input, set } = useField('neverdeployed')
  const part = {
    ...form.values,
    category: categories?.find(({ id }) => id === form.values.partcategoryId)?.name,
  }
  // An administrator edits for a seller whose papers are not known here.
  const standing = own
    ? { license: Boolean(user?.listingDefaults.license), certified: user?.certified === true }
    : { license: true, certified: true }
  const missing = restrictionsOf(part, standing)
  const isAirBag = restrictionsOf({ ...part, neverdeployed: '' }, standing).some(
    ({ field }) => field === 'neverdeployed',
  )
  if (missing.length === 0 && !isAirBag) return null
  const { value, required: _, ...others } = input
  return (
    <Alert color={missing.length > 0 ? 'warning' : 'gray'} title="Needed for this part" role="status">
      {missing.length > 0 && (
        <List size="sm" mb={isAirBag ? 'sm' : 0}>
          {missing.map(({ sentence }) => (
            <List.Item key={sentence}>{sentence}</List.Item>
          ))}
        </List>
      )}
      {isAirBag && (
        <Checkbox
          {...others}
          label="It was never deployed, is undamaged and not under a recall"
          checked={value !== ''}
          onChange={(event) => set(event.currentTarget.checked ? 'Yes' : '')}
        />
      )}
    </Alert>
  )
}

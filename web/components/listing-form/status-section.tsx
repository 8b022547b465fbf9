import { SegmentedControl, Text } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import type { Listing } from '#contract/listings.ts'
import { FormSection } from './form-sections.tsx'

type Status = Listing['status']
type StatusSectionProps = { value: Status; onChange: (status: Status) => void; disabled: boolean }

const choices = [
  { value: 'ACTIVE', label: 'Active' },
  { value: 'HIDDEN', label: 'Hidden' },
] satisfies { value: Status; label: string }[]

const meanings: Record<Status, string> = {
  ACTIVE: 'Everybody finds this listing.',
  HIDDEN: 'Only its seller and admins see this listing.',
}

/** Whether buyers find the listing. */
export function StatusSection({ value, onChange, disabled }: StatusSectionProps) {
  return (
    <FormSection title="Status">
      <SegmentedControl
        aria-label="Status"
        data={choices}
        value={value}
        onChange={onChange}
        disabled={disabled}
        style={{ alignSelf: 'flex-start' }}
      />
      <Text size="sm" className="second">
        {meanings[value]}
      </Text>
    </FormSection>
  )
}

import { Badge, Group } from '@mantine/core'
import type { Person } from '#contract/admin-people.ts'

/** Role, plan and access in a word each. */
export function PersonBadges({ person }: { person: Person }) {
  const pro = person.sellerTier === 'PAID'
  return (
    <Group gap={6}>
      {person.role === 1 && <Badge size="md">Admin</Badge>}
      <Badge size="md" color={pro ? 'good' : 'gray'}>
        {pro ? planWords(person) : 'Free'}
      </Badge>
      {person.trusted && (
        <Badge size="md" color="sea">
          Trusted importer
        </Badge>
      )}
      {person.disabledAt !== null && (
        <Badge size="md" color="bad">
          Disabled
        </Badge>
      )}
    </Group>
  )
}

const planWords = ({ proGranted }: Person) => (proGranted ? 'Pro, granted' : 'Pro')

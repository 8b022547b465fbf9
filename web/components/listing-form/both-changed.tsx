import { Alert, List, Text } from '@mantine/core'
import type { ListingField, ListingKind } from '#contract/listing-fields.ts'
import { labelOf } from './listing-problems.ts'

/** A field that two people changed, each to something else. */
export type Overlap = { field: ListingField; theirs: string; mine: string }

const shown = (text: string) => (text === '' ? 'empty' : text)

/** What saving would put in place of somebody else's change: nobody does so unawares. */
export function BothChanged({ kind, overlaps }: { kind: ListingKind; overlaps: readonly Overlap[] }) {
  return (
    <Alert role="alert" color="warning" radius="lg" mb="md" title="You both changed the same fields">
      <Text mb="xs">Saving puts yours in place of theirs:</Text>
      <List size="sm">
        {overlaps.map(({ field, theirs, mine }) => (
          <List.Item key={field}>
            {field === 'partcategoryId'
              ? labelOf(kind, field)
              : `${labelOf(kind, field)}: theirs ${shown(theirs)}, yours ${shown(mine)}`}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

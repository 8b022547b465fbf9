import { Alert, Button, Group, Text } from '@mantine/core'
import type { ListingKind } from '#contract/listing-fields.ts'
import { momentWords } from '#web/components/time-words.ts'
import type { EditDraft } from './edit-draft.ts'
import { labelOf } from './listing-problems.ts'
import { namedChanges } from './listing-values.ts'

type DraftOfferProps = {
  kind: ListingKind
  draft: EditDraft
  /** Of the listing as it is now. */
  version: number
  onTakeUp: () => void
  onDiscard: () => void
}

/** What somebody typed here and did not save, before the form was left. */
export function DraftOffer({ kind, draft, version, onTakeUp, onDiscard }: DraftOfferProps) {
  const fields = namedChanges(kind, draft.before, draft.values).map((field) => labelOf(kind, field))
  const what = fields.length > 0 ? `${fields.join(', ')}: changed` : 'Changed'
  return (
    <Alert role="status" color="warning" radius="lg" mb="md" title="You left changes here without saving">
      <Text mb="sm">
        {what} {momentWords(draft.savedAt)}.
        {draft.version !== version &&
          ' The listing was changed since; you will see which fields you both changed.'}
      </Text>
      <Group gap="sm">
        <Button onClick={onTakeUp}>Put my changes back</Button>
        <Button variant="default" onClick={onDiscard}>
          Discard them
        </Button>
      </Group>
    </Alert>
  )
}

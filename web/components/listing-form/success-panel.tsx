import { Alert, Button, Group, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { titleOf } from '#web/components/listing-card/listing-words.ts'
import { paths } from '#web/paths.ts'

type SuccessPanelProps = {
  listing: Listing
  /** Another part of the same car. */
  onAnother: () => void
  onDuplicate: () => void
}

/** Says what was made and what one usually does next; stays when the form below starts afresh. */
export function SuccessPanel({ listing, onAnother, onDuplicate }: SuccessPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new listing is announced again
  useEffect(() => {
    panel.current?.focus({ preventScroll: true })
    panel.current?.scrollIntoView({ block: 'center' })
  }, [listing.id])
  return (
    <Alert
      ref={panel}
      tabIndex={-1}
      role="status"
      color="good"
      radius="lg"
      mb="md"
      icon={<IconCircleCheck aria-hidden />}
      title="Listing created"
    >
      <Text mb="sm">{titleOf(listing)} is now for sale.</Text>
      <Group gap="xs">
        <Button component={Link} to={paths.part(listing.partslug)}>
          View listing
        </Button>
        <Button variant="default" onClick={onAnother} title="Keeps the car and the seller">
          Create another
        </Button>
        <Button variant="default" onClick={onDuplicate} title="Keeps everything, for an equal part">
          Duplicate
        </Button>
        <Button variant="subtle" component={Link} to={paths.myListings}>
          My Listings
        </Button>
      </Group>
    </Alert>
  )
}

import { Button, Checkbox, Group, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Lead } from '#contract/leads.ts'
import { agreedDeal } from '#web/components/conversation-words.ts'
import { useSoldAction } from './leads.ts'

type SoldDialogProps = {
  lead: Lead
  /** Whether this buyer bought it rather than someone else. */
  soldToThem: boolean
  onClose: () => void
}

/** Closes the conversation because the part is sold, and offers what usually goes with that. */
export function SoldDialog({ lead, soldToThem, onClose }: SoldDialogProps) {
  const { name, listing, othersOpen } = lead
  const deal = agreedDeal(lead.messages)
  const selling = useSoldAction(lead)
  // If there are several, the others are still for sale.
  const [endListing, setEndListing] = useState(listing?.forSale === true && listing.quantity <= 1)
  const [tellOthers, setTellOthers] = useState(othersOpen > 0)
  const canTell = lead.email !== null && !lead.emailsStopped
  const send = () =>
    selling.mutate(
      { soldToThem, endListing, tellOthers: tellOthers && othersOpen > 0 },
      { onSuccess: onClose },
    )
  return (
    <Modal opened onClose={onClose} title={soldToThem ? `Sold to ${name}?` : 'Tell them it’s sold?'}>
      <Stack gap="md">
        {soldToThem ? (
          <Text>
            {canTell && deal && `${name} gets the reply “Sold to you for ${deal.price}. Thank you!” `}The
            conversation will be closed.
          </Text>
        ) : (
          <Text>
            {canTell
              ? `${name} gets the reply “Sorry, this part is already sold.” The conversation will be closed.`
              : `${name} cannot be emailed. The conversation will be closed.`}
          </Text>
        )}
        {listing?.forSale && (
          <Checkbox
            label="Mark the listing as sold"
            checked={endListing}
            onChange={(event) => setEndListing(event.currentTarget.checked)}
          />
        )}
        {othersOpen > 0 && (
          <Checkbox
            label={
              othersOpen === 1
                ? 'Tell the other buyer who asked about it, too'
                : `Tell the ${othersOpen} other buyers who asked about it, too`
            }
            checked={tellOthers}
            onChange={(event) => setTellOthers(event.currentTarget.checked)}
          />
        )}
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button onClick={send} loading={selling.isPending} data-autofocus>
            {soldToThem ? 'Close as sold' : 'Send and close'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}

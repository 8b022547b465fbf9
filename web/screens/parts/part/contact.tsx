import { Anchor, Button, Card, Divider, Group, Stack, Text, Title } from '@mantine/core'
import { IconPhone } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Listing } from '#contract/listings.ts'
import { useSession } from '#web/api/session.ts'
import { paths } from '#web/paths.ts'
import { sellerName, wayToSeller } from './contact-words.ts'
import { MessageForm } from './message-form.tsx'

/** How a buyer reaches the seller; nothing where there is nothing to buy any more. */
export function Contact({ listing }: { listing: Listing }) {
  const way = wayToSeller(listing)
  if (way === 'none') return null
  return (
    <Card component="section" aria-label="Contact">
      {way === 'own' ? (
        <OwnPart listing={listing} />
      ) : (
        <Stack gap="lg">
          {way === 'call-first' && (
            <>
              <Call listing={listing} />
              <Divider />
            </>
          )}
          <MessageForm listing={listing} first={way === 'write-first'} />
        </Stack>
      )}
    </Card>
  )
}

function Call({ listing }: { listing: Listing }) {
  return (
    <Stack gap="sm">
      <div>
        <Title order={2} size="h3">
          Call {sellerName(listing)}
        </Title>
        <Text className="second">This seller would rather hear from you by phone.</Text>
      </div>
      <Button
        component="a"
        href={`tel:${listing.dealerphone}`}
        size="md"
        leftSection={<IconPhone size={20} stroke={1.8} aria-hidden />}
      >
        Call {listing.dealerphone}
      </Button>
    </Stack>
  )
}

function OwnPart({ listing }: { listing: Listing }) {
  const phoneShown = useSession().user?.communicationPrefs.showPhonePublicly === true
  return (
    <Stack gap="sm">
      <Title order={2} size="h3">
        This is your own part
      </Title>
      <Text className="second">
        Buyers find a form here. What they write comes to your messages.
        {listing.dealerphone && !phoneShown && ' They do not see your phone number.'}
      </Text>
      <Group gap="md">
        <Anchor component={Link} to={paths.editListing(listing.partslug)} underline="always">
          Edit listing
        </Anchor>
        <Anchor component={Link} to={paths.leads} underline="always">
          See messages
        </Anchor>
      </Group>
    </Stack>
  )
}

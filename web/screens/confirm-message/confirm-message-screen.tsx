import { Text } from '@mantine/core'
import type { Answer } from '#contract/endpoint.ts'
import { leadEndpoints } from '#contract/leads.ts'
import { call } from '#web/api/client.ts'
import { DeadLink, EmailedLink, LinkStep, useLinkRequest } from '#web/components/entry/emailed-link.tsx'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { paths } from '#web/paths.ts'
import { formatPrice } from '#web/site/card/listing-words.ts'

export function Component() {
  return (
    <EntryPage
      title="Confirm message"
      heading="Get the seller’s reply"
      lead="Confirm your email and we’ll forward the seller’s reply."
      below={
        <TextLink underline="always" to={paths.parts}>
          Find more parts
        </TextLink>
      }
    >
      <EmailedLink
        check={(token, signal) => call(leadEndpoints.checkMessageLink, { body: { token }, signal })}
        dead={<DeadLinkNotice />}
        kept
      >
        {(message, token) => <Confirm token={token} message={message} />}
      </EmailedLink>
    </EntryPage>
  )
}

type Message = Answer<typeof leadEndpoints.checkMessageLink>

function Confirm({ token, message }: { token: string; message: Message }) {
  const { email, sellerName, listingTitle, slug, confirmed, offer } = message
  const { send, isDone, isDead, loading } = useLinkRequest({
    run: () => call(leadEndpoints.confirmMessage, { body: { token } }),
    failed: 'Could not confirm the address. Please try again.',
  })
  if (isDead) return <DeadLinkNotice />
  if (isDone || confirmed) {
    return (
      <LinkStep heading={isDone ? 'Your address is confirmed' : 'You already confirmed this message'}>
        <Text>
          {!isDone && `${sellerName} has it. `}Replies from {sellerName} go to <strong>{email}</strong>.
        </Text>
        <ButtonLink to={{ pathname: paths.messages, hash: token }}>See the conversation</ButtonLink>
        {slug && (
          <ButtonLink variant="default" to={paths.part(slug)}>
            Back to the part
          </ButtonLink>
        )}
      </LinkStep>
    )
  }
  return (
    <LinkStep heading={listingTitle} action={{ label: 'Yes, that was me', run: send, loading }}>
      <Text>
        {offer
          ? `Did you offer ${sellerName} ${formatPrice(offer.price, offer.currency)} for this part?`
          : `Did you message ${sellerName} about this part?`}{' '}
        We’ll email their replies to <strong>{email}</strong>.
      </Text>
      <Text className="second">If not, close this page. You won’t hear from them.</Text>
    </LinkStep>
  )
}

function DeadLinkNotice() {
  return (
    <DeadLink next={<ButtonLink to={paths.parts}>Find parts</ButtonLink>}>
      This link has expired. Use the one in your most recent email. The seller has your message either way.
    </DeadLink>
  )
}

import { Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import type { Answer } from '#contract/endpoint.ts'
import { leadEndpoints } from '#contract/leads.ts'
import { call } from '#web/api/client.ts'
import { CheckedLink, DeadLink, isExpired, LinkStep } from '#web/components/entry/emailed-link.tsx'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { useLinkToken } from '#web/components/entry/use-link-token.ts'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  const token = useLinkToken()
  return (
    <EntryPage
      title="Confirm message"
      heading="Get the seller’s answer"
      lead="Answers go only to addresses whose owners want them."
      below={
        <TextLink underline="always" to={paths.parts}>
          Find more parts
        </TextLink>
      }
    >
      {token === undefined ? (
        <Dead />
      ) : (
        <CheckedLink
          key={token}
          token={token}
          check={(token, signal) => call(leadEndpoints.checkMessageLink, { body: { token }, signal })}
          dead={<Dead />}
        >
          {(message) => <Confirm token={token} message={message} />}
        </CheckedLink>
      )}
    </EntryPage>
  )
}

type Message = Answer<typeof leadEndpoints.checkMessageLink>

function Confirm({ token, message }: { token: string; message: Message }) {
  const { email, sellerName, listingTitle, slug } = message
  const request = useMutation({
    mutationFn: () => call(leadEndpoints.confirmMessage, { body: { token } }),
    onError: (error) => {
      if (!isExpired(error)) notifyError(error, 'Could not confirm the address. Please try again.')
    },
  })
  if (isExpired(request.error)) return <Dead />
  if (request.isSuccess) {
    return (
      <LinkStep heading="Your address is confirmed">
        <Text>
          What {sellerName} answers goes to <strong>{email}</strong>.
        </Text>
        {slug && <ButtonLink to={paths.part(slug)}>Back to the part</ButtonLink>}
      </LinkStep>
    )
  }
  return (
    <LinkStep
      heading={listingTitle}
      action={{ label: 'Yes, I wrote this', run: () => request.mutate(), loading: request.isPending }}
    >
      <Text>
        Did you write to {sellerName} about this part? Then their answers will be emailed to{' '}
        <strong>{email}</strong>.
      </Text>
      <Text className="second">If not, close this page. You won’t hear from them.</Text>
    </LinkStep>
  )
}

function Dead() {
  return (
    <DeadLink next={<ButtonLink to={paths.parts}>Find parts</ButtonLink>}>
      It is incomplete or has expired. Write to the seller again to get a new one.
    </DeadLink>
  )
}

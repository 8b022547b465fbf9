import { Checkbox, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import type { Answer } from '#contract/endpoint.ts'
import { savedSearchEndpoints } from '#contract/search/saved-searches.ts'
import { call } from '#web/api/client.ts'
import { DeadLink, EmailedLink, LinkStep, useLinkRequest } from '#web/components/entry/emailed-link.tsx'
import { EntryPage } from '#web/components/entry/entry-page.tsx'
import { ButtonLink, TextLink } from '#web/components/links.tsx'
import { paths } from '#web/paths.ts'

export function Component() {
  return (
    <EntryPage
      title="Confirm search"
      heading="Email me when one is listed"
      lead="Confirm, and we’ll email you new parts."
      below={
        <TextLink underline="always" to={paths.parts}>
          Find more parts
        </TextLink>
      }
    >
      <EmailedLink
        check={(token, signal) => call(savedSearchEndpoints.checkSearchLink, { body: { token }, signal })}
        dead={<DeadLinkNotice />}
        kept
      >
        {(link, token) => <Confirm token={token} link={link} />}
      </EmailedLink>
    </EntryPage>
  )
}

type Link = Answer<typeof savedSearchEndpoints.checkSearchLink>

function Confirm({ token, link: { email, items } }: { token: string; link: Link }) {
  const [chosen, setChosen] = useState<readonly string[]>(items.map(({ id }) => id))
  const [key, setKey] = useState<string>()
  const { send, isDone, isDead, loading } = useLinkRequest({
    run: () => call(savedSearchEndpoints.confirmSearches, { body: { token, ids: [...chosen] } }),
    onDone: (done) => setKey(done.key),
    failed: 'Could not confirm the search. Please try again.',
  })
  if (isDead) return <DeadLinkNotice />
  if (isDone) {
    return (
      <LinkStep heading={chosen.length > 1 ? 'Your searches are saved' : 'Your search is saved'}>
        <Text>
          New parts go to <strong>{email}</strong>. You can unsubscribe from any email.
        </Text>
        <ButtonLink to={`${paths.savedSearches}#${key}`}>See your saved searches</ButtonLink>
      </LinkStep>
    )
  }
  if (items.length === 0) {
    return (
      <LinkStep heading="Nothing to confirm">
        <Text>Your searches are confirmed already. Our emails have a link to them.</Text>
        <ButtonLink to={paths.parts}>Find parts</ButtonLink>
      </LinkStep>
    )
  }
  return (
    <LinkStep
      heading="Confirm your saved search"
      action={chosen.length > 0 ? { label: 'Yes, email me', run: send, loading } : undefined}
    >
      <Checkbox.Group
        value={[...chosen]}
        onChange={setChosen}
        label={`Email ${email} when a part is listed for:`}
      >
        <Stack gap="xs" mt="xs">
          {items.map(({ id, title }) => (
            <Checkbox key={id} value={id} label={title} />
          ))}
        </Stack>
      </Checkbox.Group>
      <Text className="second">If not, close this page. We won’t email you.</Text>
    </LinkStep>
  )
}

function DeadLinkNotice() {
  return (
    <DeadLink next={<ButtonLink to={paths.parts}>Find parts</ButtonLink>}>
      This link has expired. Save the search again to get a new one.
    </DeadLink>
  )
}

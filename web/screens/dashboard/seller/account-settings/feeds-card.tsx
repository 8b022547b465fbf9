import '@mantine/core/styles/Switch.layer.css'
import { Anchor, CopyButton, Group, Skeleton, Stack, Switch, Text } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import { type FeedProblem, type Feeds, feedEndpoints } from '#contract/pages/sellers.ts'
import { call } from '#web/api/client.ts'
import { Loaded } from '#web/components/page/load-error.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'

const queryKey = ['feeds']
const toastPlace = { place: 'top-center', about: 'feeds' } as const

/** Lets shopping sites read a seller's parts, and shows which parts they would refuse. */
export function FeedsCard() {
  const queryClient = useQueryClient()
  const feeds = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(feedEndpoints.readFeeds, { signal }),
  })
  const { mutate, isPending } = useMutation({
    mutationFn: (enabled: boolean) => call(feedEndpoints.setFeeds, { body: { enabled } }),
    onSuccess: (saved) => {
      queryClient.setQueryData(queryKey, saved)
      notifyDone(saved.enabled ? 'Feeds are on' : 'Feeds are off', toastPlace)
    },
    onError: (error) => notifyError(error, 'Could not save that setting', toastPlace),
  })
  return (
    <SectionCard
      title="Shopping feeds"
      lead="Show your parts on Google Shopping, Facebook and Instagram. They read your prices from these addresses every day."
    >
      <Loaded
        query={feeds}
        failure="Unable to load your feeds"
        waiting={<Skeleton height={66} role="status" aria-label="Loading feeds…" />}
      >
        {(found) => (
          <>
            <Switch
              label="Let shopping sites read my parts"
              checked={found.enabled}
              disabled={isPending}
              onChange={(event) => mutate(event.currentTarget.checked)}
            />
            {found.enabled && (
              <>
                <FeedAddress label="Google Merchant Center" address={found.googleUrl} />
                <FeedAddress label="Meta catalog (Facebook, Instagram)" address={found.metaUrl} />
              </>
            )}
            <LeftOut feeds={found} />
          </>
        )}
      </Loaded>
    </SectionCard>
  )
}

function FeedAddress({ label, address }: { label: string; address: string }) {
  return (
    <div>
      <Text size="sm" fw={600}>
        {label}
      </Text>
      <Group gap="sm" style={{ overflowWrap: 'anywhere' }}>
        <Anchor href={address} target="_blank" rel="noreferrer" size="sm" style={{ minWidth: 0 }}>
          {address}
        </Anchor>
        <CopyButton value={address}>
          {({ copied, copy }) => (
            <Anchor component="button" type="button" size="sm" onClick={copy} aria-label={`Copy ${label}`}>
              {copied ? 'Copied' : 'Copy'}
            </Anchor>
          )}
        </CopyButton>
      </Group>
    </div>
  )
}

const problemWords: Record<FeedProblem, string> = {
  'no-price': 'Price is $0',
  'no-picture': 'No picture',
  'small-picture': 'Picture is smaller than 100 × 100 pixels',
  'long-title': 'Title is longer than 150 characters',
  'no-description': 'No description',
}

function LeftOut({ feeds: { parts, inFeeds, problems } }: { feeds: Feeds }) {
  const number = (count: number) => count.toLocaleString('en-US')
  if (problems.length === 0) {
    return (
      <Text size="sm" className="second">
        {parts === 0 ? 'No parts for sale yet.' : `All ${number(parts)} parts are ready for the feeds.`}
      </Text>
    )
  }
  return (
    <Stack gap="xs">
      <Text size="sm">
        {number(inFeeds)} of {number(parts)} parts are ready. The sites would refuse the others, so they are
        left out:
      </Text>
      {problems.map(({ problem, count, newest }) => (
        <details key={problem}>
          <summary>
            {problemWords[problem]}: {number(count)}
          </summary>
          <ul>
            {newest.map(({ slug, title }) => (
              <li key={slug}>
                <Anchor component={Link} to={paths.editListing(slug)} size="sm">
                  {title}
                </Anchor>
              </li>
            ))}
          </ul>
          {count > newest.length && (
            <Text size="sm" className="second">
              The newest {newest.length} are shown.{' '}
              <Anchor component={Link} to={paths.myListings}>
                See all listings
              </Anchor>
            </Text>
          )}
        </details>
      ))}
    </Stack>
  )
}

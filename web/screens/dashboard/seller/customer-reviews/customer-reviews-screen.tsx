import { Badge, Card, Group, Skeleton, Stack, Text, Title } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import type { Answer } from '#contract/endpoint.ts'
import { orderEndpoints } from '#contract/order/order-calls.ts'
import { type OwnReview, reviewEndpoints } from '#contract/order/review-calls.ts'
import { FEWEST_REVIEWS } from '#contract/pages/track-record.ts'
import { call } from '#web/api/client.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { TextLink } from '#web/components/links.tsx'
import { Loaded } from '#web/components/page/load-error.tsx'
import { Page } from '#web/components/page/page.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { Pager } from '#web/components/pager.tsx'
import { RecordsList } from '#web/components/records-list.tsx'
import { longDate } from '#web/components/time-words.ts'
import { paths } from '#web/paths.ts'
import { Component as BeingBuilt } from '#web/screens/being-built/being-built-screen.tsx'
import { Empty } from '#web/site/page.tsx'
import { starsInWords } from '#web/site/seller/standing.tsx'
import { AnswerReview } from './answer-review.tsx'

/** Reviews of a yard that sells online; for all others there are none to come. */
export function Component() {
  const selling = useQuery({
    queryKey: ['selling'],
    queryFn: ({ signal }) => call(orderEndpoints.readSelling, { signal }),
  })
  return (
    <Loaded
      query={selling}
      failure="Unable to load your reviews"
      waiting={<Skeleton height={320} role="status" aria-label="Loading your reviews…" />}
    >
      {({ available, enabled }) => (available && enabled ? <Reviews /> : <BeingBuilt />)}
    </Loaded>
  )
}

function Reviews() {
  const [search, setSearch] = useSearchParams()
  const page = Math.max(1, Number.parseInt(search.get('page') ?? '1', 10) || 1)
  const reviews = useQuery({
    queryKey: ['reviews', 'own', page],
    queryFn: ({ signal }) => call(reviewEndpoints.listReviews, { query: { page }, signal }),
    placeholderData: keepPreviousData,
  })
  const found = reviews.data
  return (
    <Page title="Customer Reviews" lead="What buyers say about your yard after delivery." width="text">
      <Stack gap="md">
        {found && <Figures figures={found.figures} />}
        <RecordsList
          query={reviews}
          items={found?.items}
          failed="Unable to load your reviews"
          loading="Loading your reviews…"
          skeleton={{ rows: 4, height: 140 }}
          empty={
            <Empty
              title="No reviews yet."
              text="We ask each buyer once, three days after delivery. Reviews appear here."
              drawing={emptyDrawing}
            />
          }
          footer={
            found &&
            found.total > found.perPage && (
              <Pager
                page={page}
                pageCount={Math.ceil(found.total / found.perPage)}
                onChange={(next) => setSearch(next > 1 ? { page: String(next) } : {})}
                label="Pages of reviews"
              />
            )
          }
        >
          {(items) => (
            <Stack gap="md">
              {items.map((review) => (
                <Review key={review.id} review={review} />
              ))}
            </Stack>
          )}
        </RecordsList>
      </Stack>
    </Page>
  )
}

type OwnFigures = Answer<typeof reviewEndpoints.listReviews>['figures']

function Figures({ figures }: { figures: OwnFigures }) {
  const { reviews, badge, lines } = figures
  const missing = FEWEST_REVIEWS - reviews
  return (
    <SectionCard
      title="What buyers see"
      aside={
        badge && (
          <Badge color="good" size="md">
            Dependable yard
          </Badge>
        )
      }
    >
      <Stack gap={4}>
        <Text>
          {starsInWords(figures) ??
            `${reviews} published. Your average shows after ${missing} more ${missing === 1 ? 'review' : 'reviews'}.`}
        </Text>
        {lines.map((line) => (
          <Text key={line}>{line}</Text>
        ))}
        {lines.length === 0 && (
          <Text className="second">
            After 10 orders in 180 days, buyers see how many you confirmed and shipped in time, and how many
            came back.
          </Text>
        )}
      </Stack>
    </SectionCard>
  )
}

function Review({ review }: { review: OwnReview }) {
  const { id, stars, text, part, order, state, publishAt, writtenAt, hiddenNote, reported } = review
  return (
    <Card component="section" aria-labelledby={`review-${id}`}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <Title order={2} size="h4" id={`review-${id}`}>
            {stars} of 5 stars
          </Title>
          <Group gap="xs">
            {reported && <Badge color="warning">Reported</Badge>}
            <Badge color={state === 'published' ? 'good' : 'gray'}>{stateWords[state]}</Badge>
          </Group>
        </Group>
        <Text size="sm" className="second">
          {part} ·{' '}
          <TextLink to={paths.sellerOrder(order.id)} underline="always" inherit>
            {order.number}
          </TextLink>{' '}
          · {longDate(writtenAt)}
        </Text>
        {text !== '' && <Text style={{ whiteSpace: 'pre-line' }}>{text}</Text>}
        {state === 'waiting' && (
          <Text size="sm" className="second">
            Only you see it until {longDate(publishAt)}. Then it is published with your answer, if you wrote
            one.
          </Text>
        )}
        {state === 'hidden' ? (
          <Text size="sm" className="second">
            An administrator hid it. {hiddenNote}
          </Text>
        ) : (
          <AnswerReview review={review} />
        )}
      </Stack>
    </Card>
  )
}

const stateWords = { waiting: 'Not published yet', published: 'Published', hidden: 'Hidden' } as const

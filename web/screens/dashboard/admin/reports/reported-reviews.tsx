import { Badge, Button, Card, Group, Stack, Text, Textarea, Title } from '@mantine/core'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import {
  LONGEST_REVIEW,
  type ReportedReview,
  type ReviewDecision,
  reviewEndpoints,
} from '#contract/order/review-calls.ts'
import { reviewReportReasons } from '#contract/pages/report-reasons.ts'
import { call } from '#web/api/client.ts'
import emptyDrawing from '#web/artwork/empty.svg?url'
import { Moment } from '#web/components/admin/records.tsx'
import { useSingleMutation } from '#web/components/form/use-single-mutation.ts'
import { TextLink } from '#web/components/links.tsx'
import { problemOf, StepDialog } from '#web/components/orders/step-dialog.tsx'
import { Pager } from '#web/components/pager.tsx'
import { RecordsList } from '#web/components/records-list.tsx'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import { paths } from '#web/paths.ts'
import { Empty } from '#web/site/page.tsx'

export function useReportedReviews(page: number) {
  return useQuery({
    queryKey: ['reports', 'reviews', page],
    queryFn: ({ signal }) => call(reviewEndpoints.listReportedReviews, { query: { page }, signal }),
    placeholderData: keepPreviousData,
  })
}

type ReportedReviewsProps = { page: number; onPage: (page: number) => void }

/** Reviews with an open report: hide them with a reason, or keep them. */
export function ReportedReviews({ page, onPage }: ReportedReviewsProps) {
  const reviews = useReportedReviews(page)
  const found = reviews.data
  // The review leaves the list, but stays in place so that a mistake can be undone.
  const [hidden, setHidden] = useState<ReportedReview>()
  return (
    <>
      {hidden && (
        <Card mb="md">
          <Group justify="space-between">
            <Text>The review of {hidden.yard.name} is hidden.</Text>
            <Decide review={{ ...hidden, state: 'hidden' }} onDecided={() => setHidden(undefined)} />
          </Group>
        </Card>
      )}
      <RecordsList
        query={reviews}
        items={found?.items}
        failed="Unable to load the reported reviews"
        loading="Loading the reported reviews…"
        skeleton={{ rows: 3, height: 160 }}
        empty={
          <Empty
            title="No open reports about reviews."
            text="“Report this review” is on every yard’s page. Reports appear here."
            drawing={emptyDrawing}
          />
        }
        footer={
          found && (
            <Pager
              page={page}
              pageCount={Math.ceil(found.total / found.perPage)}
              onChange={onPage}
              label="Pages of reported reviews"
            />
          )
        }
      >
        {(items) => (
          <Stack gap="md">
            {items.map((review) => (
              <Reported
                key={review.id}
                review={review}
                onDecided={(decision) => setHidden(decision === 'hide' ? review : undefined)}
              />
            ))}
          </Stack>
        )}
      </RecordsList>
    </>
  )
}

type ReportedProps = { review: ReportedReview; onDecided: (decision: ReviewDecision) => void }

function Reported({ review, onDecided }: ReportedProps) {
  const { id, stars, text, part, yard, order, answer, state, reports } = review
  return (
    <Card component="section" aria-labelledby={`review-${id}`}>
      <Stack gap="sm">
        <Group justify="space-between" align="flex-start" gap="sm">
          <div>
            <Title order={2} size="h4" id={`review-${id}`}>
              {stars} of 5 stars for {yard.name}
            </Title>
            <Text size="sm" className="second">
              {part} ·{' '}
              <TextLink to={paths.manageOrder(order.id)} underline="always" inherit>
                {order.number}
              </TextLink>
            </Text>
          </div>
          <Badge color={state === 'hidden' ? 'warning' : 'gray'}>{stateWords[state]}</Badge>
        </Group>
        {text !== '' && <Text style={{ whiteSpace: 'pre-line' }}>{text}</Text>}
        {answer !== null && <Text style={{ whiteSpace: 'pre-line' }}>The yard’s answer: {answer}</Text>}
        <Stack component="ul" gap="xs" m={0} pl="md" aria-label="Reports">
          {reports.map((report) => (
            <li key={report.id}>
              <Text fw={600}>
                {reviewReportReasons[report.reason as keyof typeof reviewReportReasons] ?? report.reason}
              </Text>
              {report.text && <Text style={{ whiteSpace: 'pre-line' }}>{report.text}</Text>}
              <Text size="sm" className="second">
                <Moment at={report.createdAt} />
              </Text>
            </li>
          ))}
        </Stack>
        <Decide review={review} onDecided={onDecided} />
      </Stack>
    </Card>
  )
}

const stateWords = { waiting: 'Not published yet', published: 'Published', hidden: 'Hidden' } as const

const done: Record<ReviewDecision, string> = {
  hide: 'The review is hidden',
  keep: 'The reports are closed',
  restore: 'The review is public again',
}

function Decide({ review, onDecided }: ReportedProps) {
  const queryClient = useQueryClient()
  const [isHiding, setHiding] = useState(false)
  const sending = useSingleMutation({
    mutationFn: (body: { decision: ReviewDecision; note?: string }) =>
      call(reviewEndpoints.decideReview, { params: { id: review.id }, body }),
    onSuccess: (_reply, { decision }) => {
      notifyDone(done[decision])
      setHiding(false)
      onDecided(decision)
      void queryClient.invalidateQueries({ queryKey: ['reports'] })
    },
    onError: (error) => {
      if (!isHiding) notifyError(error, 'The decision could not be saved. Try again.')
    },
  })
  return (
    <Group gap="sm">
      {review.state === 'hidden' ? (
        <Button size="sm" variant="default" onClick={() => sending.mutate({ decision: 'restore' })}>
          Restore review
        </Button>
      ) : (
        <>
          <Button size="sm" variant="default" onClick={() => setHiding(true)}>
            Hide review
          </Button>
          <Button size="sm" variant="default" onClick={() => sending.mutate({ decision: 'keep' })}>
            Keep review
          </Button>
        </>
      )}
      {isHiding && (
        <StepDialog
          title="Hide this review?"
          submit="Hide review"
          destroys
          sending={sending}
          onClose={() => setHiding(false)}
          onSubmit={(form) => sending.mutate({ decision: 'hide', note: String(form.get('note')) })}
        >
          <Text>
            Nobody else reads it, and it counts for nothing. Its buyer and the yard read the reason.
          </Text>
          <Textarea
            label="Reason"
            name="note"
            autosize
            minRows={2}
            maxLength={LONGEST_REVIEW}
            error={problemOf(sending.error, 'note')}
            data-autofocus
          />
        </StepDialog>
      )}
    </Group>
  )
}

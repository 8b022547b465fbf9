import { Button, Group, NativeSelect, Stack, Text, Textarea } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { LONGEST_REVIEW, type OwnReview, reviewEndpoints } from '#contract/order/review-calls.ts'
import { type ReviewReportReason, reviewReportReasons } from '#contract/pages/report-reasons.ts'
import { call } from '#web/api/client.ts'
import { useSingleMutation } from '#web/components/form/use-single-mutation.ts'
import { problemOf, StepDialog } from '#web/components/orders/step-dialog.tsx'
import { notifyDone } from '#web/components/toasts.tsx'

/** The yard's answer, and a report to the administrators. */
export function AnswerReview({ review }: { review: OwnReview }) {
  const { answer, reported } = review
  const [dialog, setDialog] = useState<'answer' | 'report'>()
  const close = () => setDialog(undefined)
  return (
    <>
      {answer !== null && (
        <Stack gap={0}>
          <Text fw={600}>Your answer</Text>
          <Text style={{ whiteSpace: 'pre-line' }}>{answer}</Text>
        </Stack>
      )}
      <Group gap="sm">
        <Button
          size="sm"
          variant={answer === null ? 'filled' : 'default'}
          onClick={() => setDialog('answer')}
          aria-label={`${answer === null ? 'Answer' : 'Change answer'}, review of ${review.order.number}`}
        >
          {answer === null ? 'Answer' : 'Change answer'}
        </Button>
        {!reported && (
          <Button
            size="sm"
            variant="default"
            onClick={() => setDialog('report')}
            aria-label={`Report, review of ${review.order.number}`}
          >
            Report
          </Button>
        )}
      </Group>
      {dialog === 'answer' && <AnswerDialog review={review} onClose={close} />}
      {dialog === 'report' && <ReportDialog review={review} onClose={close} />}
    </>
  )
}

type DialogProps = { review: OwnReview; onClose: () => void }

function useSending(done: string, onClose: () => void) {
  const queryClient = useQueryClient()
  return useSingleMutation({
    mutationFn: (run: () => Promise<unknown>) => run(),
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ['reviews'] })
      notifyDone(done)
      onClose()
    },
  })
}

function AnswerDialog({ review: { id, answer }, onClose }: DialogProps) {
  const sending = useSending('Answer saved', onClose)
  return (
    <StepDialog
      title="Answer this review"
      submit="Save answer"
      sending={sending}
      onClose={onClose}
      onSubmit={(form) => {
        const body = { answer: String(form.get('answer')) }
        sending.mutate(() => call(reviewEndpoints.answerReview, { params: { id }, body }))
      }}
    >
      <Textarea
        label="Your answer"
        description="Everybody reads it below the review. You can change it later."
        name="answer"
        autosize
        minRows={4}
        maxLength={LONGEST_REVIEW}
        defaultValue={answer ?? ''}
        error={problemOf(sending.error, 'answer')}
        data-autofocus
      />
    </StepDialog>
  )
}

function ReportDialog({ review: { id }, onClose }: DialogProps) {
  const sending = useSending('Reported. We’ll look at this review.', onClose)
  return (
    <StepDialog
      title="Report this review"
      submit="Send report"
      sending={sending}
      onClose={onClose}
      onSubmit={(form) => {
        const body = { reason: form.get('reason') as ReviewReportReason, text: String(form.get('text')) }
        sending.mutate(() => call(reviewEndpoints.reportReview, { params: { id }, body }))
      }}
    >
      <Text>An administrator decides. A low rating alone is no reason to hide a review.</Text>
      <NativeSelect
        label="What’s wrong with it?"
        name="reason"
        data={Object.entries(reviewReportReasons).map(([value, label]) => ({ value, label }))}
        error={problemOf(sending.error, 'reason')}
      />
      <Textarea
        label="Details (optional)"
        name="text"
        autosize
        minRows={3}
        maxLength={LONGEST_REVIEW}
        error={problemOf(sending.error, 'text')}
      />
    </StepDialog>
  )
}

import { Button, Group, Text, Textarea } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { disputeEndpoints } from '#contract/order/disputes/dispute-calls.ts'
import type { YardDispute } from '#contract/order/disputes/dispute-views.ts'
import { disputeStateLabels, isOpenDispute } from '#contract/order/disputes/dispute-words.ts'
import type { SellerOrder } from '#contract/order/order-views.ts'
import { deadlineInWords } from '#contract/order/order-words.ts'
import { returnEndpoints } from '#contract/order/returns/return-calls.ts'
import { call } from '#web/api/client.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { AnswerPhotos, useAnswerPhotos } from '#web/components/orders/answer-photos.tsx'
import { dollars } from '#web/components/orders/order-facts.ts'
import { PrivatePhotos } from '#web/components/orders/private-photos.tsx'
import { problemOf } from '#web/components/orders/step-dialog.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { useOrderStep } from '#web/screens/dashboard/seller/orders/seller-orders.ts'

/** What the buyer's bank wants to know, and what the yard says to it. */
export function DisputeCard({ order }: { order: SellerOrder }) {
  const { dispute } = order
  if (dispute === null) return null
  return (
    <SectionCard title="Dispute">
      <Facts
        facts={[
          { name: 'State', value: disputeStateLabels[dispute.state] },
          { name: 'Disputed', value: dollars(dispute.amount) },
          { name: 'Reason of the bank', value: dispute.reason },
          ...(dispute.dueBy === null || !dispute.canAnswer
            ? []
            : [{ name: 'Your answer counts until', value: deadlineInWords(dispute.dueBy, dispute.zone) }]),
          ...(dispute.canAnswer || dispute.answer === ''
            ? []
            : [{ name: 'You wrote', value: dispute.answer }]),
        ]}
      />
      <PrivatePhotos
        ids={dispute.photoIds}
        read={(photoId) => call(returnEndpoints.readSellerReturnPhoto, { params: { id: order.id, photoId } })}
      />
      {dispute.canAnswer && <AnswerForm order={order} dispute={dispute} />}
      {isOpenDispute(dispute.state) && !dispute.canAnswer && (
        <Text>We sent the evidence. The bank usually decides within 60 to 75 days.</Text>
      )}
    </SectionCard>
  )
}

function AnswerForm({
  order: { id },
  dispute: { answer, photoIds },
}: {
  order: SellerOrder
  dispute: YardDispute
}) {
  const [text, setText] = useState(answer)
  const photos = useAnswerPhotos(id, photoIds.length)
  // What the server refuses stays beside the field.
  const step = useOrderStep({ inDialog: true })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const body = { text, photoIds: [...photoIds, ...photos.added.map((photo) => photo.id)] }
    const run = async () => {
      const shown = await call(disputeEndpoints.answerDispute, { params: { id }, body })
      photos.clear()
      return shown
    }
    step.mutate({ run, id, done: 'Answer saved' })
  }
  return (
    <form onSubmit={submit} noValidate>
      <Textarea
        label="What happened?"
        description="How it was packed, what the buyer said, when it arrived. We add it to the evidence for the bank, and the buyer may read it there."
        autosize
        minRows={4}
        maxLength={4_000}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value)
          if (step.error) step.reset()
        }}
        error={step.error && (problemOf(step.error, 'text') ?? step.error.message)}
      />
      <AnswerPhotos
        photos={photos}
        readers="We choose which of them go to the bank; the buyer may see them there."
      />
      <Group mt="sm">
        <Button type="submit" loading={step.isPending} disabled={photos.isBusy}>
          {answer === '' ? 'Send answer' : 'Change answer'}
        </Button>
      </Group>
    </form>
  )
}

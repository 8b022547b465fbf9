import { Button, Checkbox, Group, NativeSelect, Text, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { SellerOrder } from '#contract/order/order-views.ts'
import { returnEndpoints } from '#contract/order/returns/return-calls.ts'
import {
  type ReturnAction,
  type ReturnCondition,
  returnConditions,
} from '#contract/order/returns/return-steps.ts'
import type { OrderReturn } from '#contract/order/returns/return-views.ts'
import { call } from '#web/api/client.ts'
import type { AddedPhotos } from '#web/components/orders/added-photos.ts'
import { AnswerPhotos, useAnswerPhotos } from '#web/components/orders/answer-photos.tsx'
import { dollars } from '#web/components/orders/order-facts.ts'
import { ReturnsCards } from '#web/components/orders/returns-card.tsx'
import { problemOf, StepDialog } from '#web/components/orders/step-dialog.tsx'
import { useOrderStep } from '#web/screens/dashboard/seller/orders/seller-orders.ts'
import { firstName } from '#web/screens/dashboard/seller/orders/to-do.ts'

type Asked = { one: OrderReturn; action: ReturnAction }
type DialogProps = { order: SellerOrder; one: OrderReturn; onClose: () => void }

/** What comes back of an order, and the yard's answers. The code on a core slip opens the page with the core's dialog. */
export function OrderReturns({ order }: { order: SellerOrder }) {
  const [search, setSearch] = useSearchParams()
  const [asked, setAsked] = useState<Asked>()
  const scanned = order.returns.find(
    ({ id, actions }) => id === search.get('core') && actions.includes('received'),
  )
  const open = asked ?? (scanned && { one: scanned, action: 'received' as const })
  const close = () => {
    setAsked(undefined)
    setSearch({}, { replace: true })
  }
  const Dialog = open && dialogs[open.action]
  return (
    <>
      <ReturnsCards
        order={order}
        readPhoto={(photoId) =>
          call(returnEndpoints.readSellerReturnPhoto, { params: { id: order.id, photoId } })
        }
        actionsOf={(one) => <Answers one={one} onAsk={(action) => setAsked({ one, action })} />}
      />
      {open && Dialog && <Dialog order={order} one={open.one} onClose={close} />}
    </>
  )
}

const labels: Partial<Record<ReturnAction, string>> = {
  approve: 'Approve',
  decline: 'Decline',
  received: 'It is back',
}

function Answers({ one, onAsk }: { one: OrderReturn; onAsk: (action: ReturnAction) => void }) {
  if (one.actions.length === 0) return null
  return (
    <Group gap="sm">
      {one.actions.map((action, at) => (
        <Button key={action} variant={at === 0 ? 'filled' : 'default'} onClick={() => onAsk(action)}>
          {labels[action]}
        </Button>
      ))}
    </Group>
  )
}

function useAnswer({ id }: SellerOrder, { id: returnId }: OrderReturn, onClose: () => void) {
  const step = useOrderStep({ inDialog: true, onDone: onClose })
  const send = (body: Parameters<typeof callAnswer>[2], done: string) =>
    step.mutate({ id, run: () => callAnswer(id, returnId, body), done })
  return { step, send }
}

type Answer = {
  answer: 'approve' | 'decline' | 'received'
  condition?: ReturnCondition
  reason?: string
  waiveFee?: boolean
  photoIds?: string[]
}

const callAnswer = (id: string, returnId: string, body: Answer) =>
  call(returnEndpoints.answerReturn, { params: { id, returnId }, body })

function ApproveDialog({ order, one, onClose }: DialogProps) {
  const { step, send } = useAnswer(order, one, onClose)
  const buyer = firstName(order.buyer.name)
  const { kind, restockingFee, wayBack } = one
  const [waiveFee, setWaiveFee] = useState(false)
  const amount = one.amount + (waiveFee ? restockingFee : 0)
  return (
    <StepDialog
      title={kind === 'claim' ? 'Approve the claim?' : 'Approve the return?'}
      submit="Approve"
      isReady
      sending={step}
      onClose={onClose}
      onSubmit={() =>
        send({ answer: 'approve', waiveFee }, kind === 'claim' ? 'Claim approved' : 'Return approved')
      }
    >
      <Text>
        {kind === 'claim'
          ? `${dollars(amount)} goes back to ${buyer}, who may keep the part.`
          : `${buyer} sends the part back. Once you say that it is there, ${dollars(amount)} goes back to ${buyer}.`}
      </Text>
      {kind === 'return' && wayBack === 'yard' && (
        <Text>You confirmed that the part fits, so you pay for the way back: send {buyer} a label.</Text>
      )}
      {restockingFee > 0 && (
        <Checkbox
          label={`Don’t take the restocking fee of ${dollars(restockingFee)}`}
          checked={waiveFee}
          onChange={(event) => setWaiveFee(event.currentTarget.checked)}
        />
      )}
    </StepDialog>
  )
}

function DeclineDialog({ order, one, onClose }: DialogProps) {
  const { step, send } = useAnswer(order, one, onClose)
  const buyer = firstName(order.buyer.name)
  const photos = useAnswerPhotos(order.id, one.answerPhotoIds.length)
  return (
    <StepDialog
      title={one.kind === 'claim' ? 'Decline the claim?' : 'Decline the return?'}
      submit="Decline"
      destroys
      sending={step}
      onClose={onClose}
      onSubmit={(form) =>
        send({ answer: 'decline', reason: String(form.get('reason')), photoIds: idsOf(photos) }, 'Declined')
      }
    >
      <Text>{buyer} can ask us to decide within 7 days.</Text>
      <Textarea
        label="Reason"
        description={`${buyer} reads this.`}
        name="reason"
        autosize
        minRows={2}
        maxLength={600}
        data-autofocus
        error={problemOf(step.error, 'reason')}
      />
      <AnswerPhotos photos={photos} readers={`${buyer} and we see them.`} />
    </StepDialog>
  )
}

const idsOf = ({ added }: AddedPhotos) => added.map(({ id }) => id)

const conditionChoices = Object.entries(returnConditions).map(([value, label]) => ({ value, label }))

function ReceivedDialog({ order, one, onClose }: DialogProps) {
  const { step, send } = useAnswer(order, one, onClose)
  const [condition, setCondition] = useState<ReturnCondition>('good')
  const photos = useAnswerPhotos(order.id, one.answerPhotoIds.length)
  const isCore = one.kind === 'core'
  const isGood = condition === 'good'
  return (
    <StepDialog
      title={isCore ? 'Is the old part there?' : 'Is the part back?'}
      submit={isGood ? `Refund ${dollars(one.amount)}` : 'Let us decide'}
      isReady
      sending={step}
      onClose={onClose}
      onSubmit={(form) => {
        const reason = String(form.get('reason') ?? '')
        send(
          { answer: 'received', condition, reason, photoIds: isGood ? [] : idsOf(photos) },
          isGood ? 'Refund started' : 'We decide',
        )
      }}
    >
      <NativeSelect
        label="How did it come back?"
        data={
          isCore
            ? conditionChoices.map((choice) =>
                choice.value === 'good' ? { ...choice, label: 'Complete and rebuildable' } : choice,
              )
            : conditionChoices
        }
        value={condition}
        onChange={(event) => setCondition(event.currentTarget.value as ReturnCondition)}
      />
      <Text>
        {isGood
          ? `${dollars(one.amount)} goes back to ${firstName(order.buyer.name)}.`
          : 'We look at both sides and decide what goes back.'}
      </Text>
      {!isGood && (
        <>
          <Textarea
            label="What is wrong with it?"
            description={`${firstName(order.buyer.name)} reads this, too.`}
            name="reason"
            autosize
            minRows={2}
            maxLength={600}
            error={problemOf(step.error, 'reason')}
          />
          <AnswerPhotos photos={photos} readers={`${firstName(order.buyer.name)} and we see them.`} />
        </>
      )}
    </StepDialog>
  )
}

const dialogs: Partial<Record<ReturnAction, (props: DialogProps) => ReactNode>> = {
  approve: ApproveDialog,
  decline: DeclineDialog,
  received: ReceivedDialog,
}

import { Alert, Button, Group, Skeleton, Stack, Text, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { disputeEndpoints } from '#contract/order/disputes/dispute-calls.ts'
import {
  type AdminDispute,
  type Evidence,
  type EvidenceField,
  evidenceFieldNames,
  evidenceFields,
} from '#contract/order/disputes/dispute-views.ts'
import { disputeStateLabels } from '#contract/order/disputes/dispute-words.ts'
import { call } from '#web/api/client.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { askToConfirm } from '#web/components/confirm.tsx'
import { useSingleMutation } from '#web/components/form/use-single-mutation.ts'
import { dollars } from '#web/components/orders/order-facts.ts'
import { Loaded } from '#web/components/page/load-error.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { momentWords } from '#web/components/time-words.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'
import classes from './order.module.css'

/** A dispute: what the bank says, what the yard says, and the evidence to read, edit and send once. */
export function DisputeCard({ id }: { id: string }) {
  const dispute = useQuery({
    queryKey: disputeKey(id),
    queryFn: ({ signal }) => call(disputeEndpoints.readDispute, { params: { id }, signal }),
  })
  return (
    <SectionCard title="Dispute">
      <Loaded
        query={dispute}
        failure="Unable to load the dispute"
        waiting={<Skeleton height={240} role="status" aria-label="Loading the dispute…" />}
      >
        {(found) => (
          <Stack gap="md">
            <Facts facts={factsOf(found)} />
            <Progress dispute={found} />
            {found.canAnswer && !found.isSending ? (
              // What is being edited stays, whatever a later read says.
              <EvidenceForm key={found.provider} id={id} dispute={found} />
            ) : (
              <Sent evidence={found.evidence} />
            )}
          </Stack>
        )}
      </Loaded>
    </SectionCard>
  )
}

const disputeKey = (id: string) => ['orders', 'admin', 'dispute', id] as const

function factsOf(dispute: AdminDispute) {
  const { state, amount, reason, dueBy, submittedAt, fee, feeOf, provider, answer } = dispute
  return [
    { name: 'State', value: disputeStateLabels[state] },
    { name: 'Disputed', value: dollars(amount) },
    { name: 'Reason of the bank', value: reason },
    ...(dueBy === null || submittedAt !== null
      ? []
      : [{ name: 'Evidence is due', value: momentWords(dueBy) }]),
    ...(submittedAt === null ? [] : [{ name: 'Evidence sent', value: momentWords(submittedAt) }]),
    { name: 'Fee of the bank', value: `${dollars(fee)}, ${feeOf === 'yard' ? 'owed by the yard' : 'ours'}` },
    { name: 'The yard says', value: answer || 'Nothing yet' },
    { name: 'At the payment provider', value: <code className={classes.id}>{provider}</code> },
  ]
}

function Progress({ dispute: { isSending, problem, state } }: { dispute: AdminDispute }) {
  if (isSending)
    return (
      <Alert color="information" variant="light" title="Sending">
        The payment provider has not confirmed the evidence yet. It is tried again by itself.
      </Alert>
    )
  if (problem !== null)
    return (
      <Alert color="bad" variant="light" title="The payment provider refused the evidence">
        {problem}
      </Alert>
    )
  if (state === 'under-review') return <Text>The bank usually decides within 60 to 75 days.</Text>
  return null
}

const isLong = (name: EvidenceField): boolean =>
  name === 'uncategorized_text' || name === 'refund_policy_disclosure' || name === 'product_description'

function EvidenceForm({ id, dispute }: { id: string; dispute: AdminDispute }) {
  const [evidence, setEvidence] = useState<Evidence>(dispute.evidence)
  const queryClient = useQueryClient()
  const saving = useSingleMutation({
    mutationFn: ({ send }: { send: boolean }) =>
      call(send ? disputeEndpoints.submitEvidence : disputeEndpoints.saveEvidence, {
        params: { id },
        body: { evidence },
      }),
    onSuccess: (found, { send }) => {
      queryClient.setQueryData(disputeKey(id), found)
      void queryClient.invalidateQueries({ queryKey: ['orders', 'admin'] })
      notifyDone(send ? 'Evidence sent' : 'Evidence saved', { about: `order ${id}` })
    },
    onError: (error) =>
      notifyError(error, 'This could not be saved. Please try again.', { about: `order ${id}` }),
  })
  const submit = async () => {
    const isSure = await askToConfirm({
      title: 'Send the evidence to the bank?',
      text: 'It can be sent once, and not changed afterward. The bank, and the buyer through it, may read all of it.',
      confirm: 'Send evidence',
    })
    if (isSure) saving.mutate({ send: true })
  }
  return (
    <form
      aria-label="Evidence"
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate({ send: false })
      }}
    >
      <Stack gap="sm">
        <Text>
          {dispute.isSaved
            ? 'This is the evidence as it was saved.'
            : 'Prepared from the order. Read it, correct it, and leave out what does not help.'}
        </Text>
        {evidenceFieldNames.map((name) => (
          <Textarea
            key={name}
            label={evidenceFields[name]}
            autosize
            minRows={isLong(name) ? 3 : 1}
            maxRows={14}
            maxLength={20_000}
            value={evidence[name]}
            onChange={(event) => {
              const { value } = event.currentTarget
              setEvidence((known) => ({ ...known, [name]: value }))
            }}
          />
        ))}
        <Group gap="sm">
          <Button onClick={() => void submit()} loading={saving.isPending}>
            Send evidence
          </Button>
          <Button type="submit" variant="default" disabled={saving.isPending}>
            Save without sending
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

function Sent({ evidence }: { evidence: Evidence }) {
  const sent = evidenceFieldNames.filter((name) => evidence[name] !== '')
  return (
    <details>
      <summary>Evidence</summary>
      <Facts
        facts={sent.map((name) => ({
          name: evidenceFields[name],
          value: <span className={classes.lines}>{evidence[name]}</span>,
        }))}
      />
    </details>
  )
}

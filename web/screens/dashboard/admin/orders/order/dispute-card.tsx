import { Alert, Button, Checkbox, Group, Skeleton, Stack, Text, Textarea } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { disputeEndpoints } from '#contract/order/disputes/dispute-calls.ts'
import {
  type AdminDispute,
  type Evidence,
  type EvidenceField,
  evidenceFieldNames,
  evidenceFields,
  MOST_EVIDENCE_PHOTOS,
} from '#contract/order/disputes/dispute-views.ts'
import { disputeStateLabels } from '#contract/order/disputes/dispute-words.ts'
import { deadlineInWords } from '#contract/order/order-words.ts'
import { call } from '#web/api/client.ts'
import { Facts } from '#web/components/account/facts.tsx'
import { askToConfirm } from '#web/components/confirm.tsx'
import { useSingleMutation } from '#web/components/form/use-single-mutation.ts'
import { dollars } from '#web/components/orders/order-facts.ts'
import { PrivatePhotos } from '#web/components/orders/private-photos.tsx'
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
              <Sent dispute={found} readPhoto={(photoId) => readPhoto(id, photoId)} />
            )}
          </Stack>
        )}
      </Loaded>
    </SectionCard>
  )
}

const readPhoto = (id: string, photoId: string) =>
  call(disputeEndpoints.readEvidencePhoto, { params: { id, photoId } })

const disputeKey = (id: string) => ['orders', 'admin', 'dispute', id] as const

function factsOf(dispute: AdminDispute) {
  const { state, amount, reason, dueBy, zone, submittedAt, fee, feeOf, provider, answer } = dispute
  return [
    { name: 'State', value: disputeStateLabels[state] },
    { name: 'Disputed', value: dollars(amount) },
    { name: 'Reason of the bank', value: reason },
    ...(dueBy === null || submittedAt !== null
      ? []
      : [{ name: 'Evidence is due', value: deadlineInWords(dueBy, zone) }]),
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
      <Alert color="bad" variant="light" title="The evidence was not sent">
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
  const [photoIds, setPhotoIds] = useState(
    dispute.photos.flatMap((photo) => (photo.isChosen ? [photo.id] : [])),
  )
  const queryClient = useQueryClient()
  const saving = useSingleMutation({
    mutationFn: ({ send }: { send: boolean }) =>
      call(send ? disputeEndpoints.submitEvidence : disputeEndpoints.saveEvidence, {
        params: { id },
        body: { evidence, photoIds },
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
        <EvidencePhotos
          photos={dispute.photos}
          read={(photoId) => readPhoto(id, photoId)}
          chosen={photoIds}
          onChange={setPhotoIds}
        />
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

type PhotosProps = {
  photos: AdminDispute['photos']
  read: (photoId: string) => Promise<Blob>
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

function EvidencePhotos({ photos, read, chosen, onChange }: PhotosProps) {
  if (photos.length === 0) return null
  const isFull = chosen.length >= MOST_EVIDENCE_PHOTOS
  return (
    <Checkbox.Group
      label="These photos go to the bank"
      description={`As one PDF, a page each${isFull ? `. At most ${MOST_EVIDENCE_PHOTOS} can be sent` : ''}. Leave out what does not help.`}
      value={[...chosen]}
      onChange={onChange}
    >
      <Stack gap="sm" mt="xs">
        {photos.map(({ id, caption }) => (
          <Group key={id} gap="sm" wrap="nowrap" align="center">
            <PrivatePhotos ids={[id]} read={read} />
            <Checkbox value={id} label={caption} disabled={isFull && !chosen.includes(id)} />
          </Group>
        ))}
      </Stack>
    </Checkbox.Group>
  )
}

function Sent({
  dispute: { evidence, photos },
  readPhoto: read,
}: {
  dispute: AdminDispute
  readPhoto: (photoId: string) => Promise<Blob>
}) {
  const sent = evidenceFieldNames.filter((name) => evidence[name] !== '')
  const shown = photos.filter(({ isChosen }) => isChosen)
  return (
    <details>
      <summary>Evidence</summary>
      <Facts
        facts={[
          ...sent.map((name) => ({
            name: evidenceFields[name],
            value: <span className={classes.lines}>{evidence[name]}</span>,
          })),
          ...(shown.length === 0
            ? []
            : [{ name: 'Photos', value: <PrivatePhotos ids={shown.map(({ id }) => id)} read={read} /> }]),
        ]}
      />
    </details>
  )
}

import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type ReportDecision, type ReportedListing, reportEndpoints } from '#contract/reports.ts'
import { call } from '#web/api/client.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { formatCount } from '#web/components/imports/import-words.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

const words: Record<ReportDecision, { button: string; text: string; done: string }> = {
  hide: {
    button: 'Hide listing',
    text: 'Buyers no longer see it, and its seller gets an email. You can restore it any time.',
    done: 'The listing is hidden',
  },
  restore: {
    button: 'Restore listing',
    text: 'Buyers see it again, and its seller gets an email.',
    done: 'The listing is public again',
  },
  answer: {
    button: 'Answer',
    text: 'Closes the reports. The listing stays as it is.',
    done: 'The reports are closed',
  },
}

export type OnDecided = (item: ReportedListing, decision: ReportDecision) => void

/** The effect of hiding a reported listing on it and its open reports. */
export const whenHidden = (item: ReportedListing): ReportedListing => ({
  ...item,
  status: 'HIDDEN',
  reports: item.reports.map((report) =>
    report.closedAt === null ? { ...report, outcome: 'hidden', closedAt: new Date().toISOString() } : report,
  ),
})

/** What can be done about a reported listing. Each button opens a form with an answer to those who reported it. */
export function DecisionButtons({ item, onDone }: { item: ReportedListing; onDone: OnDecided }) {
  const [deciding, setDeciding] = useState<ReportDecision>()
  const isOpen = item.reports.some(({ closedAt }) => closedAt === null)
  const offered: ReportDecision[] = [
    item.status === 'HIDDEN' ? 'restore' : 'hide',
    ...(isOpen ? ['answer' as const] : []),
  ]
  return (
    <Group gap="sm">
      {offered.map((decision) => (
        <Button key={decision} variant="default" size="sm" onClick={() => setDeciding(decision)}>
          {words[decision].button}
        </Button>
      ))}
      <Modal
        opened={deciding !== undefined}
        onClose={() => setDeciding(undefined)}
        title={deciding && `${words[deciding].button}: ${item.title}`}
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        {deciding && (
          <DecisionForm
            item={item}
            decision={deciding}
            onDone={onDone}
            onClose={() => setDeciding(undefined)}
          />
        )}
      </Modal>
    </Group>
  )
}

type DecisionFormProps = {
  item: ReportedListing
  decision: ReportDecision
  onDone: OnDecided
  onClose: () => void
}

function DecisionForm({ item, decision, onDone, onClose }: DecisionFormProps) {
  const [answer, setAnswer] = useState('')
  const queryClient = useQueryClient()
  const about = `report ${item.id}`
  const { button, text, done } = words[decision]
  const sending = useMutation({
    mutationFn: () =>
      call(reportEndpoints.decideReport, { params: { id: item.id }, body: { decision, answer } }),
    onSuccess: () => {
      notifyDone(done, { about })
      onClose()
      onDone(item, decision)
    },
    onError: (error) => notifyError(error, 'The decision could not be saved. Try again.', { about }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['reports'] }),
  })
  // People who were notified that it was hidden are notified that it is back.
  const isToldOf = ({ closedAt, outcome }: ReportedListing['reports'][number]) =>
    closedAt === null || (decision === 'restore' && outcome === 'hidden')
  const asked = new Set(item.reports.filter(isToldOf).flatMap(({ email }) => email ?? [])).size
  const reporters = asked === 1 ? 'the person who reported it' : `the ${asked} people who reported it`
  const readers = [...(decision === 'hide' ? ['its seller'] : []), ...(asked > 0 ? [reporters] : [])]
  return (
    <Stack gap="md">
      <Text>{text}</Text>
      {readers.length > 0 ? (
        <Textarea
          label="Answer (optional)"
          description={`Emailed to ${readers.join(' and ')}.`}
          autosize
          minRows={3}
          maxLength={5000}
          value={answer}
          onChange={(event) => setAnswer(event.currentTarget.value)}
        />
      ) : (
        <Text className="second">Nobody left an email address, so nobody gets an answer.</Text>
      )}
      <Group gap="sm">
        <Button onClick={() => sending.mutate()} loading={sending.isPending}>
          {decision === 'answer' ? 'Close reports' : button}
        </Button>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
      </Group>
    </Stack>
  )
}

export function PublishRestButton({ importId, waiting }: { importId: string; waiting: number }) {
  const queryClient = useQueryClient()
  const publishing = useMutation({
    mutationFn: () => call(reportEndpoints.publishRest, { params: { id: importId } }),
    onSuccess: () => notifyDone('The rest of the import is going live', { about: importId }),
    onError: (error) =>
      notifyError(error, 'The rest could not be published. Try again.', { about: importId }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['reports'] }),
  })
  const ask = async () => {
    const sure = await askToConfirm({
      title: `Publish the other ${formatCount(waiting)} changes?`,
      text: 'The rest of this import goes live now. The seller can still undo it.',
      confirm: 'Publish the rest',
    })
    if (sure) publishing.mutate()
  }
  return (
    <Button variant="default" size="sm" onClick={() => void ask()} loading={publishing.isPending}>
      Publish the rest
    </Button>
  )
}

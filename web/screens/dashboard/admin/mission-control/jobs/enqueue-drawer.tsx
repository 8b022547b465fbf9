import { Button, SegmentedControl, Stack, Text } from '@mantine/core'
import '@mantine/core/styles/FloatingIndicator.layer.css'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { automationEndpoints, type Queue } from '#contract/admin/automation.ts'
import { call } from '#web/api/client.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { SideDrawer } from '#web/components/admin/records.tsx'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import {
  type JobBody,
  JobJsonFields,
  JobTypedFields,
  jsonText,
  QueueField,
  useJobJson,
} from './job-input.tsx'
import { useRefreshLists } from './job-lists.ts'

/** Given by the spec. */
const defaults = {
  queue: 'ingest-autoparts',
  payload: jsonText({ perPage: 48, maxPages: 1, dataset: 'marketplace:ecomm_autoparts' }),
  options: jsonText({ attempts: 1 }),
}

type EnqueueDrawerProps = {
  opened: boolean
  onClose: () => void
  queues: readonly Queue[]
  onEnqueued: (jobId: string) => void
}

export function EnqueueDrawer({ opened, onClose, queues, onEnqueued }: EnqueueDrawerProps) {
  return (
    <SideDrawer opened={opened} onClose={onClose} title="Enqueue Job">
      <EnqueueForm queues={queues} onEnqueued={onEnqueued} />
    </SideDrawer>
  )
}

function EnqueueForm({ queues, onEnqueued }: Pick<EnqueueDrawerProps, 'queues' | 'onEnqueued'>) {
  const [queue, setQueue] = useState(defaults.queue)
  const json = useJobJson(defaults)
  const [as, setAs] = useState('JSON')
  const refresh = useRefreshLists()
  const enqueuing = useMutation({
    mutationFn: (body: JobBody) =>
      call(automationEndpoints.enqueueJob, { body: { queue: queue.trim(), ...body } }),
    onSuccess: ({ jobId }) => {
      notifyDone('Job enqueued', { about: 'enqueue' })
      void refresh()
      onEnqueued(jobId)
    },
    onError: (error) => notifyProblem(failureWords(error, 'Failed to enqueue job'), { about: 'enqueue' }),
  })
  const problems = fieldProblems(enqueuing.error)
  return (
    <form onSubmit={json.submit(enqueuing)} aria-label="Enqueue Job" noValidate>
      <Stack gap="md" pb="lg">
        <QueueField queues={queues} value={queue} onChange={setQueue} error={problems.queue} />
        <SegmentedControl
          aria-label="Enter as"
          data={['JSON', 'Form']}
          value={as}
          onChange={setAs}
          style={{ alignSelf: 'flex-start' }}
        />
        {as === 'JSON' ? (
          <JobJsonFields json={json} problems={problems} />
        ) : (
          <JobTypedFields json={json} problems={problems} />
        )}
        <Button type="submit" loading={enqueuing.isPending} style={{ alignSelf: 'flex-start' }}>
          Enqueue job
        </Button>
        <Text size="sm" className="second">
          The server validates the payload for the queue. Attempts: 1–25.
        </Text>
      </Stack>
    </form>
  )
}

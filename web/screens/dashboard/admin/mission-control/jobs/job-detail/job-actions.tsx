import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { automationEndpoints, hasEnded, type JobDetail } from '#contract/admin/automation.ts'
import { call } from '#web/api/client.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { notifyDone, notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import {
  type JobBody,
  JobJsonFields,
  jsonText,
  useJobJson,
} from '#web/screens/dashboard/admin/mission-control/jobs/job-input.tsx'
import { jobName, useRefreshLists } from '#web/screens/dashboard/admin/mission-control/jobs/job-lists.ts'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import { jobKey } from './live-job.ts'

type JobActionsProps = { job: JobDetail; onChoose: (id: string) => void }

export function JobActions({ job, onChoose }: JobActionsProps) {
  const [repeating, setRepeating] = useState(false)
  const close = () => setRepeating(false)
  const canceling = useCancel(job)
  if (!hasEnded(job.status)) {
    return (
      <Group gap="sm">
        <Button
          variant="light"
          color="bad"
          onClick={() => void askToCancel(job).then((sure) => sure && canceling.mutate())}
          loading={canceling.isPending}
          disabled={job.cancelRequested}
        >
          {job.cancelRequested ? 'Cancel requested' : 'Cancel job'}
        </Button>
      </Group>
    )
  }
  return (
    <Group gap="sm">
      <Button variant="default" onClick={() => setRepeating(true)}>
        Run again
      </Button>
      <Modal opened={repeating} onClose={close} title={`Run ${jobName(job)} again`} size="40rem">
        <RunAgainForm
          job={job}
          onClose={close}
          onStarted={(id) => {
            close()
            onChoose(id)
          }}
        />
      </Modal>
    </Group>
  )
}

function askToCancel(job: JobDetail): Promise<boolean> {
  return askToConfirm({
    title: `Cancel ${jobName(job)}?`,
    text:
      job.status === 'running'
        ? 'It is running and gets a few seconds to stop. Work already done is kept.'
        : 'It will not run. You can run it again later.',
    confirm: 'Cancel job',
    cancel: 'Keep job',
    destroys: true,
  })
}

function useCancel({ id }: JobDetail) {
  const client = useQueryClient()
  const refresh = useRefreshLists()
  const about = `job ${id}`
  return useMutation({
    mutationFn: () => call(automationEndpoints.cancelJob, { params: { id } }),
    onSuccess: ({ status }) => {
      if (status === 'cancelled') notifyDone('Job canceled', { about })
      else notifyInfo(hasEnded(status) ? `Job has ended: ${status}` : 'Cancel requested', { about })
    },
    onError: (error) => notifyProblem(failureWords(error, 'Failed to cancel job'), { about }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: jobKey(id) })
      void refresh()
    },
  })
}

type RunAgainProps = { job: JobDetail; onClose: () => void; onStarted: (id: string) => void }

function RunAgainForm({ job, onClose, onStarted }: RunAgainProps) {
  const json = useJobJson({ payload: jsonText(job.payload), options: jsonText(job.options) })
  const client = useQueryClient()
  const refresh = useRefreshLists()
  const about = `job ${job.id}`
  const repeating = useMutation({
    mutationFn: (body: JobBody) => call(automationEndpoints.retryJob, { params: { id: job.id }, body }),
    onSuccess: ({ jobId }) => {
      notifyDone('Job enqueued', { about })
      void client.invalidateQueries({ queryKey: jobKey(job.id) })
      void refresh()
      onStarted(jobId)
    },
    onError: (error) => notifyProblem(failureWords(error, 'Failed to enqueue job'), { about }),
  })
  return (
    <form onSubmit={json.submit(repeating)} aria-label="Run again" noValidate>
      <Stack gap="md">
        <Text className="second">A new job of {job.queueKey}, linked to this one.</Text>
        <JobJsonFields json={json} problems={fieldProblems(repeating.error)} />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={repeating.isPending}>
            {json.isChanged ? 'Run with changes' : 'Run again'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

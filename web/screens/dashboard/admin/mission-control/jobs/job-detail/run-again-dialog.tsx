import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { FormEvent } from 'react'
import { automationEndpoints, type JobDetail } from '#contract/automation.ts'
import { call } from '#web/api/client.ts'
import { fieldProblems } from '#web/api/failures.ts'
import { focusFirstProblem } from '#web/components/first-problem.ts'
import { notifyDone, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/failure-words.ts'
import { jsonText } from '#web/screens/dashboard/admin/mission-control/jobs/job-json.ts'
import { JobJsonFields } from '#web/screens/dashboard/admin/mission-control/jobs/job-json-fields.tsx'
import { jobName } from '#web/screens/dashboard/admin/mission-control/jobs/job-words.ts'
import { useJobJson } from '#web/screens/dashboard/admin/mission-control/jobs/use-job-json.ts'
import { useRefreshLists } from '#web/screens/dashboard/admin/mission-control/jobs/use-job-lists.ts'
import { jobKey } from './use-job.ts'

type RunAgainProps = { job: JobDetail; onClose: () => void; onBegun: (id: string) => void }

/** The same job once more, with another payload if one wants. */
export function RunAgainDialog({ opened, ...props }: RunAgainProps & { opened: boolean }) {
  return (
    <Modal opened={opened} onClose={props.onClose} title={`Run ${jobName(props.job)} again`} size="40rem">
      <RunAgainForm {...props} />
    </Modal>
  )
}

function RunAgainForm({ job, onClose, onBegun }: RunAgainProps) {
  const json = useJobJson({ payload: jsonText(job.payload), options: jsonText(job.options) })
  const client = useQueryClient()
  const refresh = useRefreshLists()
  const about = `job ${job.id}`
  const repeating = useMutation({
    mutationFn: (body: NonNullable<ReturnType<typeof json.read>>) =>
      call(automationEndpoints.retryJob, { params: { id: job.id }, body }),
    onSuccess: ({ jobId }) => {
      notifyDone('Job enqueued', { about })
      void client.invalidateQueries({ queryKey: jobKey(job.id) })
      void refresh()
      onBegun(jobId)
    },
    onError: (error) => notifyProblem(failureWords(error, 'Failed to enqueue job'), { about }),
  })
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (repeating.isPending) return
    const form = event.currentTarget
    const body = json.read()
    if (!body) return focusFirstProblem(form)
    repeating.mutate(body, { onError: () => focusFirstProblem(form) })
  }
  return (
    <form onSubmit={send} aria-label="Run again" noValidate>
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

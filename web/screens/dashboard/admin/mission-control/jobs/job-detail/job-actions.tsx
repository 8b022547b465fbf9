import { Button, Group } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { automationEndpoints, hasEnded, type JobDetail } from '#contract/automation.ts'
import { call } from '#web/api/client.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { notifyDone, notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/failure-words.ts'
import { jobName } from '#web/screens/dashboard/admin/mission-control/jobs/job-words.ts'
import { useRefreshLists } from '#web/screens/dashboard/admin/mission-control/jobs/use-job-lists.ts'
import { RunAgainDialog } from './run-again-dialog.tsx'
import { jobKey } from './use-job.ts'

type JobActionsProps = { job: JobDetail; onChoose: (id: string) => void }

/** What can be done with a job: stop it while it goes on, run it again once it has ended. */
export function JobActions({ job, onChoose }: JobActionsProps) {
  const [repeating, setRepeating] = useState(false)
  const cancelling = useCancel(job)
  if (!hasEnded(job.status)) {
    return (
      <Group gap="sm">
        <Button
          variant="light"
          color="bad"
          onClick={() => void askToCancel(job).then((sure) => sure && cancelling.mutate())}
          loading={cancelling.isPending}
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
      <RunAgainDialog
        job={job}
        opened={repeating}
        onClose={() => setRepeating(false)}
        onBegun={(id) => {
          setRepeating(false)
          onChoose(id)
        }}
      />
    </Group>
  )
}

function askToCancel(job: JobDetail): Promise<boolean> {
  return askToConfirm({
    title: `Cancel ${jobName(job)}?`,
    text:
      job.status === 'running'
        ? 'It is running: it is told to stop and gets a few seconds to do so. What it has done stays done.'
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
      if (status === 'cancelled') notifyDone('Job cancelled', { about })
      else notifyInfo(hasEnded(status) ? `Job has ended: ${status}` : 'Cancel requested', { about })
    },
    onError: (error) => notifyProblem(failureWords(error, 'Failed to cancel job'), { about }),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: jobKey(id) })
      void refresh()
    },
  })
}

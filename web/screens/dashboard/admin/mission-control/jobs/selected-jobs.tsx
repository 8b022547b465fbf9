import { Button, Group, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { automationEndpoints, hasEnded, type Job } from '#contract/admin/automation.ts'
import { call } from '#web/api/client.ts'
import { askToConfirm } from '#web/components/confirm.tsx'
import { notifyDone, notifyInfo, notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/run-feedback.tsx'
import { useRefreshLists } from './job-lists.ts'

export type JobSelection = ReturnType<typeof useJobSelection>

/** The selected rows among those that are loaded: a filter that hides a job also deselects it. */
export function useJobSelection(loaded: readonly Job[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const jobs = loaded.filter(({ id }) => selected.has(id))
  return {
    jobs,
    ids: new Set(jobs.map(({ id }) => id)),
    select: (id: string, isSelected: boolean) => {
      const next = new Set(selected)
      if (isSelected) next.add(id)
      else next.delete(id)
      setSelected(next)
    },
    clear: () => setSelected(new Set()),
  }
}

const inWords = (count: number) => (count === 1 ? '1 job' : `${count} jobs`)

const about = 'selected jobs'

/** Retries or cancels the selected jobs. Those that the action does not fit are left out and counted. */
export function SelectedJobs({ selection: { jobs, clear } }: { selection: JobSelection }) {
  const acting = useSelectedAction(clear)
  const ended = jobs.filter(({ status }) => hasEnded(status))
  const open = jobs.filter(({ status }) => !hasEnded(status))
  const cancel = async () => {
    const sure = await askToConfirm({
      title: `Cancel ${inWords(open.length)}?`,
      text: 'Work already done is kept.',
      confirm: `Cancel ${inWords(open.length)}`,
      cancel: 'Keep jobs',
      destroys: true,
    })
    if (sure) acting.mutate({ action: 'cancel', jobs: open })
  }
  const busy = (action: Action['action']) => acting.isPending && acting.variables.action === action
  return (
    <Group gap="xs" role="group" aria-label="Selected jobs">
      <Text size="sm" fw={600} role="status">
        {inWords(jobs.length)} selected
      </Text>
      <Button
        size="xs"
        variant="default"
        disabled={ended.length === 0 || acting.isPending}
        loading={busy('retry')}
        onClick={() => acting.mutate({ action: 'retry', jobs: ended })}
      >
        Run again ({ended.length})
      </Button>
      <Button
        size="xs"
        variant="default"
        disabled={open.length === 0 || acting.isPending}
        loading={busy('cancel')}
        onClick={() => void cancel()}
      >
        Cancel ({open.length})
      </Button>
      <Button size="xs" variant="subtle" color="gray" onClick={clear}>
        Deselect
      </Button>
    </Group>
  )
}

type Action = { action: 'retry' | 'cancel'; jobs: readonly Job[] }

function useSelectedAction(onDone: () => void) {
  const refresh = useRefreshLists()
  return useMutation({
    // One call each: a job that ended meanwhile must not stop the others.
    mutationFn: ({ action, jobs }: Action) =>
      Promise.allSettled(
        jobs.map(
          ({ id }): Promise<unknown> =>
            action === 'retry'
              ? call(automationEndpoints.retryJob, { params: { id }, body: {} })
              : call(automationEndpoints.cancelJob, { params: { id } }),
        ),
      ),
    onSuccess: (results, { action }) => {
      const failed = results.filter((result) => result.status === 'rejected')
      const done = results.length - failed.length
      const what = `${inWords(done)} ${action === 'retry' ? 'started again' : 'canceled'}`
      const [first] = failed
      if (first)
        notifyProblem(`${what}. ${failed.length} failed: ${failureWords(first.reason, 'no answer')}`, {
          about,
        })
      else if (done === 0) notifyInfo('Nothing to do', { about })
      else notifyDone(what, { about })
      onDone()
    },
    onSettled: refresh,
  })
}

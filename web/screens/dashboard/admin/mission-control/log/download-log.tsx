import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { automationEndpoints } from '#contract/automation.ts'
import { call } from '#web/api/client.ts'
import { saveFile } from '#web/components/save-file.ts'
import { notifyProblem } from '#web/components/toasts.tsx'
import { failureWords } from '#web/screens/dashboard/admin/mission-control/failure-words.ts'

/** The whole log, also what is not kept here any more. */
export function DownloadLog({ jobId }: { jobId: string | undefined }) {
  const downloading = useMutation({
    mutationFn: (id: string) => call(automationEndpoints.downloadLog, { params: { id } }),
    onSuccess: (log, id) => saveFile(log, `job-${id}.log`),
    onError: (error) => notifyProblem(failureWords(error, 'The log could not be downloaded')),
  })
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={16} />}
      disabled={jobId === undefined}
      loading={downloading.isPending}
      onClick={() => jobId !== undefined && downloading.mutate(jobId)}
    >
      Download
    </Button>
  )
}

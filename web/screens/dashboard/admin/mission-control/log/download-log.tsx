import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { automationEndpoints } from '#contract/automation.ts'
import { call } from '#web/api/client.ts'
import { useDownload } from '#web/screens/dashboard/admin/mission-control/use-download.ts'

/** The whole log, also what is not kept here any more. */
export function DownloadLog({ jobId }: { jobId: string | undefined }) {
  const downloading = useDownload()
  const download = (id: string) =>
    downloading.mutate({
      name: `job-${id}.log`,
      read: () => call(automationEndpoints.downloadLog, { params: { id } }),
    })
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconDownload size={16} />}
      disabled={jobId === undefined}
      loading={downloading.isPending}
      onClick={() => jobId !== undefined && download(jobId)}
    >
      Download
    </Button>
  )
}

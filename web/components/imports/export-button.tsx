import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { partsExportEndpoints } from '#contract/parts-export.ts'
import { call } from '#web/api/client.ts'
import { saveFile } from '#web/components/save-file.ts'
import { notifyError } from '#web/components/toasts.tsx'

/** Everything that the seller has on sale, as a file that the import takes back. */
export function ExportButton() {
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(partsExportEndpoints.exportParts),
    onSuccess: (file) => saveFile(file, `auto-parts-${new Date().toISOString().slice(0, 10)}.csv`),
    onError: (error) => notifyError(error, 'The export did not come through. Please try again.'),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      onClick={() => mutate()}
      loading={isPending}
    >
      Export CSV
    </Button>
  )
}

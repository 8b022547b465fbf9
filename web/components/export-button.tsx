import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { saveFile } from './save-file.ts'
import { notifyError } from './toasts.tsx'

type ExportButtonProps = {
  read: () => Promise<Blob>
  disabled?: boolean
  /** Where a failure is told. */
  place?: 'top-right' | 'top-center'
}

/** Parts as a CSV file with the day in its name. */
export function ExportButton({ read, disabled = false, place = 'top-right' }: ExportButtonProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: read,
    onSuccess: (file) => saveFile(file, `auto-parts-${new Date().toISOString().slice(0, 10)}.csv`),
    onError: (error) => notifyError(error, 'The export did not come through. Please try again.', { place }),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={18} aria-hidden />}
      onClick={() => mutate()}
      loading={isPending}
      disabled={disabled}
    >
      Export CSV
    </Button>
  )
}

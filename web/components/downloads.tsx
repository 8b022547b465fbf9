import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
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

type ExportOwnPartsProps = { place?: 'top-right' | 'top-center' }

/** Everything that the seller has on sale, as a file that the import takes back. */
export function ExportOwnParts({ place = 'top-right' }: ExportOwnPartsProps) {
  return <ExportButton read={() => call(importEndpoints.exportParts)} place={place} />
}

/** Hands a file to the browser's downloads. */
export function saveFile(content: Blob, name: string): void {
  const address = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // The download has begun with the click; the address is only a handle to it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000)
}

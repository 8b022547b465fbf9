import { Button, type ButtonProps } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import { saveFile } from './save-file.ts'
import { notifyError } from './toasts.tsx'

type ExportButtonProps = {
  read: () => Promise<Blob>
  disabled?: boolean
  /** Where an error is shown. */
  place?: 'top-right' | 'top-center'
}

/** Downloads parts as a CSV file with the date in its name. */
export function ExportButton({ read, disabled = false, place = 'top-right' }: ExportButtonProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: read,
    onSuccess: (file) => saveFile(file, `auto-parts-${new Date().toISOString().slice(0, 10)}.csv`),
    onError: (error) => notifyError(error, 'The export failed. Please try again.', { place }),
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

/** All of the seller's live parts, in a file that can be imported again. */
export const ExportOwnParts = (props: Pick<ExportButtonProps, 'place'>) => (
  <ExportButton read={() => call(importEndpoints.exportParts)} {...props} />
)

type FileButtonProps = Pick<ButtonProps, 'size'> & {
  read: () => Promise<Blob>
  name: string
  children: ReactNode
  /** Read aloud where the text is too short to tell buttons apart. */
  label?: string
  title?: string
  /** Shown if the file cannot be read and the server gave no reason. */
  failure?: string
}

/** Downloads a file that only this user may read or that is made here, so that a link would not do. */
export function FileButton({ read, name, label, failure, ...button }: FileButtonProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: read,
    onSuccess: (file) => saveFile(file, name),
    onError: (error) => notifyError(error, failure ?? 'The download failed. Please try again.'),
  })
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={button.size === 'xs' ? 16 : 18} aria-hidden />}
      onClick={() => mutate()}
      loading={isPending}
      aria-label={label}
      {...button}
    />
  )
}

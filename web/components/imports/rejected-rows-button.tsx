import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type ImportRecord, importEndpoints } from '#contract/imports.ts'
import { call } from '#web/api/client.ts'
import { saveFile } from '#web/components/save-file.ts'
import { notifyError } from '#web/components/toasts.tsx'

/** Rows of the file that were not taken; once there is a plan, with those that it refused. */
export const rejectedCount = ({ plan, rejected }: Pick<ImportRecord, 'plan' | 'rejected'>): number =>
  plan?.rejected ?? rejected ?? 0

type RejectedRowsButtonProps = { record: ImportRecord; compact?: boolean; children: ReactNode }

/** Downloads them. */
export function RejectedRowsButton({ record, compact = false, children }: RejectedRowsButtonProps) {
  const { id, fileName } = record
  const download = useMutation({
    mutationFn: () => call(importEndpoints.readRejectedRows, { params: { id } }),
    onSuccess: (file) =>
      saveFile(file, `${fileName.replace(/(\.\w{1,5}){1,2}$/, '') || 'import'}-rejected.csv`),
    onError: (error) => notifyError(error, 'The rows could not be downloaded'),
  })
  return (
    <Button
      variant="default"
      size={compact ? 'xs' : 'sm'}
      leftSection={<IconDownload size={compact ? 16 : 18} aria-hidden />}
      onClick={() => download.mutate()}
      loading={download.isPending}
    >
      {children}
    </Button>
  )
}

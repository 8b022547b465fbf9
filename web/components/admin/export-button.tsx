import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { adminListingEndpoints } from '#contract/admin-listings.ts'
import { call } from '#web/api/client.ts'
import { type AdminFilters, filterQuery } from '#web/components/admin/all-listings.ts'
import type { FilterValues } from '#web/components/listing-filters/filter-state.ts'
import { saveFile } from '#web/components/save-file.ts'
import { notifyError } from '#web/components/toasts.tsx'

type ExportButtonProps = { filters: FilterValues<AdminFilters>; disabled: boolean }

/** All pages of what the filters show, as one file. */
export function ExportButton({ filters, disabled }: ExportButtonProps) {
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(adminListingEndpoints.exportAll, { query: filterQuery(filters) }),
    onSuccess: (file) => saveFile(file, `auto-parts-${new Date().toISOString().slice(0, 10)}.csv`),
    onError: (error) => notifyError(error, 'The export did not come through. Please try again.'),
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

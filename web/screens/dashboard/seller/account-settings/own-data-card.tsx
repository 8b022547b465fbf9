import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { ownDataEndpoints } from '#contract/account/accounts.ts'
import { call } from '#web/api/client.ts'
import { saveFile } from '#web/components/downloads.tsx'
import { SectionCard } from '#web/components/page/section-card.tsx'
import { notifyError } from '#web/components/toasts.tsx'

export function OwnDataCard() {
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(ownDataEndpoints.exportOwnData),
    onSuccess: (file) => saveFile(file, `my-data-${new Date().toISOString().slice(0, 10)}.zip`),
    onError: (error) =>
      notifyError(error, 'The download failed. Please try again.', {
        place: 'top-center',
        about: 'own data',
      }),
  })
  return (
    <SectionCard
      title="Your data"
      lead="Everything we store about you: settings, listings with picture addresses, messages, imports and activity."
    >
      <Button
        variant="default"
        leftSection={<IconDownload size={18} aria-hidden />}
        onClick={() => mutate()}
        loading={isPending}
        style={{ alignSelf: 'flex-start' }}
      >
        Download your data
      </Button>
    </SectionCard>
  )
}

import { Alert, Button, Group, Text } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { type Listing, listingEndpoints } from '#contract/listings.ts'
import { call } from '#web/api/client.ts'
import { useSingleRun } from '#web/components/listing-form/use-single-run.ts'
import { notifyDone, notifyError } from '#web/components/toasts.tsx'

/** What happened to the listing while it was being edited. */
export type Clash = 'changed' | 'deleted'

type ClashNoticeProps = {
  clash: Clash
  listingId: string
  /** Goes on with the listing as it is now, with or without what was typed. */
  onGoOn: (current: Listing, keepTyped: boolean) => void
}

const words = {
  changed: {
    title: 'This listing was changed since you opened it',
    text: 'Nothing was saved, and what you typed is still here.',
  },
  deleted: {
    title: 'This listing was deleted',
    text: 'What you typed is still here. Restore the listing to save it.',
  },
}

export function ClashNotice({ clash, listingId, onGoOn }: ClashNoticeProps) {
  const [running, run] = useSingleRun()
  const notice = useRef<HTMLDivElement>(null)
  // The button that led here stands at the other end of a long form.
  useEffect(() => {
    notice.current?.focus({ preventScroll: true })
    notice.current?.scrollIntoView({ block: 'center' })
  }, [])

  const params = { id: listingId }
  const readAgain = (keepTyped: boolean) =>
    run(async () => {
      try {
        onGoOn(await call(listingEndpoints.readOwn, { params }), keepTyped)
      } catch (error) {
        notifyError(error, 'The listing could not be loaded. Please try again.')
      }
    })
  const restore = () =>
    run(async () => {
      try {
        onGoOn(await call(listingEndpoints.restoreOwn, { params }), true)
        notifyDone('Listing restored')
      } catch (error) {
        notifyError(error, 'The listing could not be restored. Please try again.')
      }
    })

  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      role="alert"
      color="warning"
      radius="lg"
      mb="md"
      title={words[clash].title}
    >
      <Text mb="sm">{words[clash].text}</Text>
      <Group gap="sm">
        {clash === 'deleted' ? (
          <Button onClick={() => void restore()} loading={running}>
            Restore listing
          </Button>
        ) : (
          <>
            <Button onClick={() => void readAgain(true)} loading={running}>
              Keep my changes
            </Button>
            <Button variant="default" onClick={() => void readAgain(false)} disabled={running}>
              Load current values
            </Button>
          </>
        )}
      </Group>
    </Alert>
  )
}

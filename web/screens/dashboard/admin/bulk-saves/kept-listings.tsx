import { Alert, List } from '@mantine/core'
import { useEffect, useRef } from 'react'
import { listingsInWords } from '#web/components/imports/import-words.ts'
import type { Undone } from './use-bulk-saves.ts'

/** What an undo left as it is, by name and with the reason. */
export function KeptListings({ undone, kept }: Pick<Undone, 'undone' | 'kept'>) {
  const notice = useRef<HTMLDivElement>(null)
  useEffect(() => {
    notice.current?.focus({ preventScroll: true })
    notice.current?.scrollIntoView({ block: 'center' })
  }, [])
  return (
    <Alert
      ref={notice}
      tabIndex={-1}
      role="alert"
      color="warning"
      radius="lg"
      title={`${listingsInWords(undone)} taken back, ${listingsInWords(kept.length)} left`}
    >
      <List>
        {kept.map(({ id, title, why }) => (
          <List.Item key={id}>
            <strong>{title}</strong>: {why}
          </List.Item>
        ))}
      </List>
    </Alert>
  )
}

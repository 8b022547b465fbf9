import { Drawer } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { momentWords, timeAgo } from '#web/components/time-words.ts'

/** "3 days ago", with the moment itself under the pointer. */
export function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={momentWords(at)}>
      {timeAgo(at, new Date())}
    </time>
  )
}

type SideDrawerProps = {
  opened: boolean
  onClose: () => void
  title: ReactNode
  width?: '28rem' | '30rem'
  children: ReactNode
}

/** What was chosen from a list, beside that list; all of the width on a phone. */
export function SideDrawer({ opened, onClose, title, width = '30rem', children }: SideDrawerProps) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={`min(${width}, 100vw)`}
      title={title}
      closeButtonProps={{ 'aria-label': 'Close', size: 'lg' }}
    >
      {children}
    </Drawer>
  )
}

/** What the drawer shows: while it slides away its content stays. */
export function useLastChosen<Chosen>(chosen: Chosen | undefined): Chosen | undefined {
  const [last, setLast] = useState(chosen)
  if (chosen === undefined || chosen === last) return last
  setLast(chosen)
  return chosen
}

import { Drawer } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { momentWords, timeAgo } from '#web/components/time-words.ts'

/** "3 days ago", with the date and time as a tooltip. */
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
  width?: '28rem' | '30rem' | '36rem'
  children: ReactNode
}

/** Details of a list's chosen record; full width on a phone. */
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

/** Keeps a drawer's content while it slides out. */
export function useLastChosen<Chosen>(chosen: Chosen | undefined): Chosen | undefined {
  const [last, setLast] = useState(chosen)
  if (chosen === undefined || chosen === last) return last
  setLast(chosen)
  return chosen
}

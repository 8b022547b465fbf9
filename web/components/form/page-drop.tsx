import { Portal, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import classes from './page-drop.module.css'

type PageDropProps = {
  /** Called in the drop event, while the browser still gives the files. */
  onDrop: (data: DataTransfer) => void
  /** Shown while files are dragged over the page. */
  words: string
  /** Whether the page takes files now; by default it does. */
  isOpen?: () => boolean
}

const kinds = ['dragenter', 'dragover', 'dragleave', 'drop'] as const
const steps: Record<string, number> = { dragenter: 1, dragleave: -1 }

/** Accepts files dropped anywhere on the page. Otherwise the browser would open the file instead. */
export function PageDrop({ onDrop, words, isOpen = () => true }: PageDropProps) {
  const [over, setOver] = useState(false)
  const take = useEffectEvent(onDrop)
  const takes = useEffectEvent(isOpen)
  useEffect(() => {
    // Moving into a child element fires its dragenter before the parent's dragleave.
    let entered = 0
    const drag = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files') || !takes()) return
      event.preventDefault()
      entered = event.type === 'drop' ? 0 : entered + (steps[event.type] ?? 0)
      setOver(entered > 0)
      if (event.type === 'drop') take(event.dataTransfer)
    }
    for (const kind of kinds) window.addEventListener(kind, drag)
    return () => {
      for (const kind of kinds) window.removeEventListener(kind, drag)
    }
  }, [])
  if (!over) return null
  return (
    <Portal>
      <div className={classes.over}>
        <Text className={classes.words}>{words}</Text>
      </div>
    </Portal>
  )
}

import { Portal, Text } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { notifyInfo } from '#web/components/toasts.tsx'
import classes from './page-drop.module.css'

type PageDropProps = {
  onDrop: (file: File) => void
  /** Nothing is taken now. */
  locked: boolean
}

const kinds = ['dragenter', 'dragover', 'dragleave', 'drop'] as const
const steps: Record<string, number> = { dragenter: 1, dragleave: -1 }

/** A file may be dropped anywhere on the page; a browser left alone would leave the page for it. */
export function PageDrop({ onDrop, locked }: PageDropProps) {
  const [over, setOver] = useState(false)
  const take = useEffectEvent((files: FileList) => {
    const [file, ...others] = files
    if (!file || locked) return
    if (others.length > 0) notifyInfo(`One file at a time: ${file.name} was taken`)
    onDrop(file)
  })
  useEffect(() => {
    // Each element on the way is entered before the one around it is left.
    let entered = 0
    const drag = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      entered = event.type === 'drop' ? 0 : entered + (steps[event.type] ?? 0)
      setOver(entered > 0)
      if (event.type === 'drop') take(event.dataTransfer.files)
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
        <Text className={classes.words}>
          {locked
            ? 'Your rows are on their way. Drop the next file when they are sent.'
            : 'Drop your file anywhere'}
        </Text>
      </div>
    </Portal>
  )
}

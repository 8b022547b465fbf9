import { VisuallyHidden } from '@mantine/core'
import { useEffect, useEffectEvent, useRef, useState } from 'react'

const EVERY_MS = 10_000
const LONGEST = 120

/** Says to whoever does not see the log how many lines have come, and the last one of them; never each of them. */
export function NewLines({ count, last }: { count: number; last: string }) {
  const [words, setWords] = useState('')
  const told = useRef(count)
  const tell = useEffectEvent(() => {
    const came = count - told.current
    told.current = count
    if (came > 0) setWords(`${came} new ${came === 1 ? 'line' : 'lines'}. Last: ${last.slice(0, LONGEST)}`)
  })
  useEffect(() => {
    const timer = setInterval(tell, EVERY_MS)
    return () => clearInterval(timer)
  }, [])
  return <VisuallyHidden role="status">{words}</VisuallyHidden>
}

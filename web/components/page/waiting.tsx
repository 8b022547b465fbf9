import { Center, Stack, Text } from '@mantine/core'
import { useEffect, useEffectEvent } from 'react'
import classes from './waiting.module.css'

/** Replaces a page that is loading. */
export function Waiting({ label = 'Loading…' }: { label?: string }) {
  return (
    <Center mih="50vh" role="status">
      <Stack align="center" gap="md">
        <Spinner />
        <Text className="second">{label}</Text>
      </Stack>
    </Center>
  )
}

/** A turning brake rotor. Decoration: the text next to it names what is loading. */
export function Spinner({ size = 72 }: { size?: number }) {
  return (
    <svg className={classes.spinner} width={size} height={size} viewBox="0 0 72 72" aria-hidden="true">
      <circle className={classes.line} cx="36" cy="36" r="31" />
      <g className={classes.rotor}>
        <circle className={classes.line} cx="36" cy="36" r="20" />
        <path
          className={classes.line}
          d="M36 16v-9M53.3 26l7.8-4.5M53.3 46l7.8 4.5M36 56v9M18.7 46l-7.8 4.5M18.7 26l-7.8-4.5"
        />
        <path className={classes.piece} d="M36 5a31 31 0 0 1 26.8 15.5" />
      </g>
      <circle className={classes.piece} cx="36" cy="36" r="7" />
    </svg>
  )
}

/** Runs `then` once `waiting` has lasted `afterMs`, unless it ends or the component unmounts first. */
export function useDelayed(waiting: boolean, afterMs: number, then: () => void): void {
  const end = useEffectEvent(then)
  useEffect(() => {
    if (!waiting) return
    const timer = setTimeout(() => end(), afterMs)
    return () => clearTimeout(timer)
  }, [waiting, afterMs])
}

import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'
import { isForWriting } from './single-key.ts'

/** Whether keys pressed alone do something on this device; people who dictate switch that off (WCAG 2.1.4). */
export function useSingleKeySwitch(): [on: boolean, turn: (on: boolean) => void] {
  const [on, turn] = useLocalStorage({
    key: 'singleKeys',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  return [on, turn]
}

/**
 * Runs what stands at the key that was pressed alone, such as `r` or `?`. Not while one writes, not with Ctrl, Alt or
 * Cmd, not below a dialog, and not where single keys are switched off.
 */
export function useSingleKeys(commands: Readonly<Record<string, () => void>>): void {
  const [on] = useSingleKeySwitch()
  const press = useEffectEvent((event: KeyboardEvent) => {
    const command = commands[event.key]
    if (command === undefined || event.defaultPrevented || isForWriting(event)) return
    if (document.querySelector('[aria-modal="true"]')) return
    event.preventDefault()
    command()
  })
  useEffect(() => {
    if (!on) return
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [on])
}

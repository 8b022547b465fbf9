import { Switch } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import { useHotkeys, useLocalStorage } from '@mantine/hooks'

/** Shortcuts of one key; off in fields, in dialogs, and where the user turned them off. */
export function useSingleKeys(keys: readonly (readonly [key: string, command: () => void])[]): void {
  const [on] = useSingleKeySwitch()
  const alone = (command: () => void) => () => {
    if (on && !document.querySelector('[aria-modal="true"]')) command()
  }
  useHotkeys(
    keys.flatMap(([key, command]) => {
      // Some keyboard layouts need Shift for "/" and "?".
      const presses = key === '/' || key === '?' ? [key, `shift+${key}`] : [key]
      return presses.map((press): [string, () => void] => [press, alone(command)])
    }),
  )
}

export function SingleKeySwitch() {
  const [on, turn] = useSingleKeySwitch()
  return (
    <Switch
      label="Single-key shortcuts"
      description="Always off while you type. Turn this off to disable them on this device."
      checked={on}
      onChange={(event) => turn(event.currentTarget.checked)}
    />
  )
}

/** Users of voice input need to turn single-key shortcuts off (WCAG 2.1.4). */
const useSingleKeySwitch = () =>
  useLocalStorage({ key: 'singleKeys', defaultValue: true, getInitialValueInEffect: false })

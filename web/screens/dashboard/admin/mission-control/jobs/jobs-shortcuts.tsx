import { Switch } from '@mantine/core'
import { type ShortcutGroup, ShortcutSheet } from '#web/components/shortcut-sheet.tsx'
import '@mantine/core/styles/Switch.layer.css'
import { useLocalStorage } from '@mantine/hooks'
import { useEffect, useEffectEvent } from 'react'

const shortcuts: readonly ShortcutGroup[] = [
  {
    group: 'Jobs Watcher',
    keys: [
      ['/', 'Search jobs'],
      ['j / k', 'Open the next or previous job'],
      ['Esc', 'Close the job'],
      ['r', 'Refresh queues and jobs'],
      ['e', 'Enqueue a job'],
      ['s', 'Schedules'],
      ['?', 'Show this list'],
    ],
  },
]

type JobsShortcutsProps = {
  opened: boolean
  onClose: () => void
  chosen: string | undefined
  /** Ids of the listed jobs, in order. */
  listed: readonly string[]
  commands: Record<'search' | 'refresh' | 'enqueue' | 'schedules' | 'help' | 'close', () => void> & {
    choose: (id: string) => void
  }
}

/** The Jobs Watcher's keyboard shortcuts and their help dialog. */
export function JobsShortcuts({ opened, onClose, chosen, listed, commands }: JobsShortcutsProps) {
  const step = (by: 1 | -1) => {
    const at = chosen === undefined ? -1 : listed.indexOf(chosen)
    const next = listed[at === -1 && by === -1 ? listed.length - 1 : at + by]
    if (next === undefined) return
    commands.choose(next)
    document.querySelector(`[data-job="${CSS.escape(next)}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  useSingleKeys({
    '/': commands.search,
    j: () => step(1),
    k: () => step(-1),
    r: commands.refresh,
    e: commands.enqueue,
    s: commands.schedules,
    '?': commands.help,
    ...(chosen !== undefined && { Escape: commands.close }),
  })
  return (
    <ShortcutSheet groups={shortcuts} opened={opened} onClose={onClose}>
      <SingleKeySwitch />
    </ShortcutSheet>
  )
}

function SingleKeySwitch() {
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
function useSingleKeySwitch(): [on: boolean, turn: (on: boolean) => void] {
  const [on, turn] = useLocalStorage({
    key: 'singleKeys',
    defaultValue: true,
    getInitialValueInEffect: false,
  })
  return [on, turn]
}

/**
 * Runs the command of a single key such as `r` or `?`, except while typing, with Ctrl, Alt, or Cmd, in a dialog, or if
 * the user turned single keys off.
 */
function useSingleKeys(commands: Readonly<Record<string, () => void>>): void {
  const [on] = useSingleKeySwitch()
  const press = useEffectEvent((event: KeyboardEvent) => {
    const command = commands[event.key]
    if (command === undefined || event.defaultPrevented || isForTyping(event)) return
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

type Press = Pick<KeyboardEvent, 'ctrlKey' | 'metaKey' | 'altKey' | 'isComposing' | 'target'>

/** Inputs that do not take text. */
const nonTextInputs = ['checkbox', 'radio', 'button', 'submit', 'reset', 'file', 'range', 'color']

/** Whether a key belongs to a text field or to the browser. */
function isForTyping({ ctrlKey, metaKey, altKey, isComposing, target }: Press): boolean {
  if (ctrlKey || metaKey || altKey || isComposing) return true
  if (!(target instanceof HTMLElement)) return false
  if (target.isContentEditable) return true
  if (target instanceof HTMLInputElement) return !nonTextInputs.includes(target.type)
  return target.matches('textarea, select, [role="textbox"], [role="combobox"], [role="grid"] *')
}

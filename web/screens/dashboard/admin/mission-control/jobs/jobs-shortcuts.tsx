import { Switch } from '@mantine/core'
import { type ShortcutGroup, ShortcutSheet } from '#web/components/shortcut-sheet.tsx'
import '@mantine/core/styles/Switch.layer.css'
import { useHotkeys, useLocalStorage } from '@mantine/hooks'

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
  listed: readonly string[]
  onChoose: (id: string | undefined) => void
  onOpen: (dialog: 'enqueue' | 'schedules' | 'shortcuts') => void
  onRefresh: () => void
  onSearch: () => void
}

export function JobsShortcuts(props: JobsShortcutsProps) {
  const { opened, onClose, chosen, listed, onChoose, onOpen, onRefresh, onSearch } = props
  const step = (by: 1 | -1) => {
    const at = chosen === undefined ? -1 : listed.indexOf(chosen)
    const next = listed[at === -1 && by === -1 ? listed.length - 1 : at + by]
    if (next === undefined) return
    onChoose(next)
    document.querySelector(`[data-job="${CSS.escape(next)}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const [on] = useSingleKeySwitch()
  const alone = (command: () => void) => () => {
    if (on && !document.querySelector('[aria-modal="true"]')) command()
  }
  const [search, help] = [alone(onSearch), alone(() => onOpen('shortcuts'))]
  // Some keyboard layouts need Shift for "/" and "?".
  useHotkeys([
    ['/', search],
    ['shift+/', search],
    ['?', help],
    ['shift+?', help],
    ['j', alone(() => step(1))],
    ['k', alone(() => step(-1))],
    ['r', alone(onRefresh)],
    ['e', alone(() => onOpen('enqueue'))],
    ['s', alone(() => onOpen('schedules'))],
    ['Escape', alone(() => chosen !== undefined && onChoose(undefined))],
  ])
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
const useSingleKeySwitch = () =>
  useLocalStorage({ key: 'singleKeys', defaultValue: true, getInitialValueInEffect: false })

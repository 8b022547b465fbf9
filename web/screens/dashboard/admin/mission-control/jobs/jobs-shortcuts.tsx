import { type ShortcutGroup, ShortcutSheet } from '#web/components/shortcuts/shortcut-sheet.tsx'
import { SingleKeySwitch, useSingleKeys } from '#web/components/shortcuts/single-keys.tsx'

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
  useSingleKeys([
    ['/', onSearch],
    ['?', () => onOpen('shortcuts')],
    ['j', () => step(1)],
    ['k', () => step(-1)],
    ['r', onRefresh],
    ['e', () => onOpen('enqueue')],
    ['s', () => onOpen('schedules')],
    ['Escape', () => chosen !== undefined && onChoose(undefined)],
  ])
  return (
    <ShortcutSheet groups={shortcuts} opened={opened} onClose={onClose}>
      <SingleKeySwitch />
    </ShortcutSheet>
  )
}

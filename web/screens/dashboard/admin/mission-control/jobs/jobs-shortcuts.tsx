import { type ShortcutGroup, ShortcutSheet } from '#web/components/shortcuts/shortcut-sheet.tsx'
import { SingleKeySwitch } from '#web/components/shortcuts/single-key-switch.tsx'
import { useSingleKeys } from '#web/components/shortcuts/use-single-keys.ts'

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
      ['?', 'This list'],
    ],
  },
]

type JobsShortcutsProps = {
  opened: boolean
  onClose: () => void
  chosen: string | undefined
  /** The jobs of the list, as they stand there. */
  listed: readonly string[]
  commands: Record<'search' | 'refresh' | 'enqueue' | 'schedules' | 'help' | 'close', () => void> & {
    choose: (id: string) => void
  }
}

/** The keys of the Jobs Watcher, and the sheet that lists them. */
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

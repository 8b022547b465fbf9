import { Badge } from '@mantine/core'
import {
  IconBan,
  IconCheck,
  IconClock,
  IconHandStop,
  IconPlayerPlay,
  type IconProps,
  IconReload,
  IconX,
} from '@tabler/icons-react'
import type { ComponentType } from 'react'
import type { JobStatus } from '#contract/admin/automation.ts'
import classes from './status-badge.module.css'

type Look = { color: string; variant?: 'outline'; Icon: ComponentType<IconProps> }

/** The spec's colors: secondary, primary, success, danger, warning, info, dark. Text and icon show it too. */
const looks: Record<JobStatus, Look> = {
  queued: { color: 'gray', Icon: IconClock },
  running: { color: 'sea', Icon: IconPlayerPlay },
  completed: { color: 'good', Icon: IconCheck },
  failed: { color: 'bad', Icon: IconX },
  'waiting-manual': { color: 'warning', Icon: IconHandStop },
  retrying: { color: 'sea', variant: 'outline', Icon: IconReload },
  cancelled: { color: 'gray', Icon: IconBan },
}

export function StatusBadge({ status, size = 'md' }: { status: JobStatus; size?: 'sm' | 'md' }) {
  const { color, variant = 'light', Icon } = looks[status]
  return (
    <Badge
      color={color}
      variant={variant}
      size={size}
      className={status === 'cancelled' ? classes.dark : undefined}
      leftSection={<Icon size={13} stroke={2.25} aria-hidden />}
      style={{ flex: 'none' }}
    >
      {status}
    </Badge>
  )
}

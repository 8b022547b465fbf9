import { Card, Group, Title } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import classes from './step-card.module.css'

type StepCardProps = {
  number: number
  title: string
  /** Nothing is left to do here. */
  done?: boolean
  /** Beside the title. */
  aside?: ReactNode
  children: ReactNode
}

/** One step of the way from a file to listings. */
export function StepCard({ number, title, done = false, aside, children }: StepCardProps) {
  const titleId = useId()
  return (
    <Card component="section" aria-labelledby={titleId}>
      <Group justify="space-between" gap="sm" mb="md">
        <Group gap="sm" wrap="nowrap">
          <span className={`display ${classes.number}`} data-done={done || undefined} aria-hidden>
            {done ? <IconCheck size={18} stroke={2.4} /> : number}
          </span>
          <Title order={2} size="h3" id={titleId}>
            {title}
          </Title>
        </Group>
        {aside}
      </Group>
      {children}
    </Card>
  )
}

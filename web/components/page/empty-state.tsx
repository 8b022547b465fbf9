import { Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import classes from './empty-state.module.css'

type EmptyStateProps = {
  title: string
  text?: ReactNode
  /** One thing to do: verb and noun. */
  action?: ReactNode
  /** The text of a line drawing (an SVG of `web/artwork`, imported with `?raw`). */
  drawing?: string
}

/** A list with nothing in it: what belongs here and how it gets here. Never a blame. */
export function EmptyState({ title, text, action, drawing }: EmptyStateProps) {
  return (
    <Stack className={classes.empty} align="center" gap="sm">
      {drawing !== undefined && <Drawing svg={drawing} className={classes.drawing} />}
      <Title order={2} size="h3">
        {title}
      </Title>
      {text !== undefined && (
        <Text className="second" maw="34rem">
          {text}
        </Text>
      )}
      {action}
    </Stack>
  )
}

type DrawingProps = {
  svg: string
  className?: string | undefined
  /** What it shows, where the text does not say it; without one it is decoration. */
  label?: string
}

/** A line drawing of ours, inline so that it takes the scheme's colours. */
export function Drawing({ svg, className, label }: DrawingProps) {
  return (
    <div
      className={className}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of this program, put into it while building; no text of anybody else
      dangerouslySetInnerHTML={{ __html: svg }}
    />
  )
}

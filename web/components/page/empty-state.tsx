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

/** An empty list: what belongs here and how to add it. Never blames the user. */
export function EmptyState({ title, text, action, drawing }: EmptyStateProps) {
  return (
    <Stack className={classes.empty} align="center" gap="sm">
      {drawing !== undefined && <Drawing svg={drawing} className={classes.drawing} />}
      <Title size="h3">{title}</Title>
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
  /** What it shows, if the text does not say it; otherwise the drawing is decoration. */
  label?: string
}

/** A line drawing, inline so that it uses the color scheme. */
export function Drawing({ svg, className, label }: DrawingProps) {
  return (
    <div
      className={className}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: an SVG file of this repository, inlined at build time
      dangerouslySetInnerHTML={{ __html: svg }}
    />
  )
}

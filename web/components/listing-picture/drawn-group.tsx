import { drawingOf } from './drawings.ts'
import classes from './group-drawing.module.css'

export function DrawnGroup({ group }: { group: string }) {
  const svg = drawingOf(group)
  if (svg === undefined) return <div className={classes.ground} aria-hidden />
  return (
    <div
      className={classes.ground}
      aria-hidden
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing, part of the program; inline, so that it takes the scheme's colours
      dangerouslySetInnerHTML={{ __html: svg }}
    />
  )
}

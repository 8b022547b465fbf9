import { lazy, Suspense } from 'react'
import classes from './group-drawing.module.css'

const Ground = () => <div className={classes.ground} aria-hidden />

// The drawings weigh as much as a small picture: they come after the page, and a page without them still stands.
const DrawnGroup = lazy(async () => {
  try {
    return { default: (await import('./drawn-group.tsx')).DrawnGroup }
  } catch {
    return { default: Ground }
  }
})

/** Stands in for a missing picture; says nothing that the text beside it does not say. */
export function GroupDrawing({ group }: { group: string | null }) {
  if (group === null) return <Ground />
  return (
    <Suspense fallback={<Ground />}>
      <DrawnGroup group={group} />
    </Suspense>
  )
}

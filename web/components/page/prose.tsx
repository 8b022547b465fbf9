import type { ReactNode } from 'react'
import classes from './prose.module.css'

/** Styles longer texts: paragraphs, headings, lists, and tables. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className={classes.prose}>{children}</div>
}

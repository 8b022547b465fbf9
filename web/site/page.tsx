import type { ReactNode } from 'react'
import { Link } from '#web/site/link.tsx'
import classes from './page.module.css'

type PageProps = {
  heading: ReactNode
  lead?: ReactNode
  /** Beside the heading, such as "87 product(s) found". */
  aside?: ReactNode
  actions?: ReactNode
  /** Above the heading. */
  trail?: ReactNode
  width?: 'text' | 'wide'
  children?: ReactNode
}

/** A public page below the header: trail, h1, actions, content. */
export function Page({ heading, lead, aside, actions, trail, width = 'wide', children }: PageProps) {
  return (
    <div className={classes[width]}>
      {trail}
      <header className={classes.head}>
        <div>
          <div className={classes.heading}>
            <h1>{heading}</h1>
            {aside}
          </div>
          {lead !== undefined && <p className={classes.lead}>{lead}</p>}
        </div>
        {actions && <div className={classes.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  )
}

export type Crumb = { to: string; label: string }

/** Links to the pages above this one. */
export function Trail({ links, here }: { links: readonly Crumb[]; here: string }) {
  return (
    <nav aria-label="Breadcrumbs" className={classes.trail}>
      <ol>
        {links.map(({ to, label }) => (
          <li key={to}>
            <Link to={to}>{label}</Link>
          </li>
        ))}
        <li aria-current="page">{here}</li>
      </ol>
    </nav>
  )
}

type SectionProps = { id: string; title: string; more?: ReactNode; children: ReactNode }

/** A part of a page with its heading, and a link to more of it. */
export function Section({ id, title, more, children }: SectionProps) {
  return (
    <section aria-labelledby={id} className={classes.section}>
      <div className={classes.sectionHead}>
        <h2 id={id}>{title}</h2>
        {more}
      </div>
      {children}
    </section>
  )
}

/** Longer texts: paragraphs, headings, lists, and tables. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className={classes.prose}>{children}</div>
}

type NoticeProps = {
  tone: 'information' | 'warning' | 'bad'
  title?: string
  children: ReactNode
  role?: string
}

export function Notice({ tone, title, children, role }: NoticeProps) {
  return (
    <div className={classes.notice} data-tone={tone} {...(role && { role })}>
      {title !== undefined && <p className={classes.noticeTitle}>{title}</p>}
      {children}
    </div>
  )
}

type EmptyProps = { title: string; text?: ReactNode; action?: ReactNode; drawing?: string }

/** An empty list or a missing page: what belongs here and where to go. Never blames the visitor. */
export function Empty({ title, text, action, drawing }: EmptyProps) {
  return (
    <div className={classes.empty}>
      {drawing !== undefined && <LinkedDrawing url={drawing} className={classes.drawing} />}
      <h2>{title}</h2>
      {text !== undefined && <p className="second">{text}</p>}
      {action !== undefined && <div className={classes.actions}>{action}</div>}
    </div>
  )
}

type LinkedDrawingProps = {
  /** Of an SVG of `web/artwork` whose root has the id `drawing`, imported with `?url`. */
  url: string
  className?: string | undefined
  label?: string
}

/** A line drawing by reference: it follows the color scheme and adds nothing to the page or its script. */
export function LinkedDrawing({ url, className, label }: LinkedDrawingProps) {
  return (
    <svg className={className} role="img" aria-label={label ?? ''} aria-hidden={label === undefined}>
      {/* The file's root has its own viewBox and is drawn as large as fits. */}
      <use href={`${url}#drawing`} width="100%" height="100%" />
    </svg>
  )
}

type DrawingProps = {
  /** The text of an SVG of `web/artwork`, imported with `?raw`. */
  svg: string
  className?: string | undefined
  /** What it shows, unless the text says so already and the drawing is only decoration. */
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

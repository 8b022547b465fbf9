import type { ComponentProps } from 'react'
import { Link } from '#web/site/link.tsx'
import classes from './button.module.css'

type Look = {
  /** `filled` is for the one action of a view. */
  look?: 'filled' | 'outlined' | 'quiet'
  size?: 'small' | 'medium' | 'large'
}

const classOf = ({ look = 'outlined', size = 'medium' }: Look, extra: string | undefined): string =>
  [classes[look], classes[size], extra].filter(Boolean).join(' ')

type ButtonProps = ComponentProps<'button'> & Look & { busy?: boolean }

/** `busy` keeps the focus and the label, and ignores clicks. */
export function Button({ look, size, busy = false, className, children, ...button }: ButtonProps) {
  return (
    <button
      type="button"
      className={classOf({ ...(look && { look }), ...(size && { size }) }, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      {...button}
      {...(busy && { onClick: (event) => event.preventDefault() })}
    >
      {children}
    </button>
  )
}

/** A link to a page of the app that looks like a button. */
export function ButtonLink({ look, size, className, ...link }: ComponentProps<typeof Link> & Look) {
  return <Link className={classOf({ ...(look && { look }), ...(size && { size }) }, className)} {...link} />
}

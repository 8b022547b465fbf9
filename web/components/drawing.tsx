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

/** A line drawing of ours, inline so that it takes the scheme's colours. Decoration: the text says what it shows. */
export function Drawing({ svg, className }: { svg: string; className?: string | undefined }) {
  return (
    <div
      className={className}
      aria-hidden
      // biome-ignore lint/security/noDangerouslySetInnerHtml: a file of this program, put into it while building; no text of anybody else
      dangerouslySetInnerHTML={{ __html: svg }}
    />
  )
}

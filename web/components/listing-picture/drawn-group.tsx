import classes from './listing-picture.module.css'

/** Any part's, for a category without a group. */
const GENERAL = 'part'

export function DrawnGroup({ group }: { group: string | null }) {
  const svg = drawingOf(group ?? GENERAL) ?? drawingOf(GENERAL)
  if (svg === undefined) return <div className={classes.ground} aria-hidden />
  return (
    <div
      className={classes.ground}
      aria-hidden
      // biome-ignore lint/security/noDangerouslySetInnerHtml: our own drawing, bundled with the app; inline so that it follows the color scheme
      dangerouslySetInnerHTML={{ __html: svg }}
    />
  )
}

const files = import.meta.glob<string>('../../../db/data/drawings/*.svg', {
  eager: true,
  query: '?raw',
  import: 'default',
})

const drawings = new Map(
  Object.entries(files).map(([path, svg]) => [path.slice(path.lastIndexOf('/') + 1, -'.svg'.length), svg]),
)

/** "Bumpers & Grilles" becomes "bumpers-grilles". */
const keyOf = (group: string) => group.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/** The line drawing of a part group, as SVG text. */
const drawingOf = (group: string): string | undefined => drawings.get(keyOf(group))

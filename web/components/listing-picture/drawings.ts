const files = import.meta.glob<string>('../../../db/data/drawings/*.svg', {
  eager: true,
  query: '?raw',
  import: 'default',
})

const drawings = new Map(
  Object.entries(files).map(([path, svg]) => [path.slice(path.lastIndexOf('/') + 1, -'.svg'.length), svg]),
)

/** "Bumpers & Grilles" and its key "bumpers-grilles" name the same drawing. */
const keyOf = (group: string) => group.toLowerCase().replace(/[^a-z0-9]+/g, '-')

/** The line drawing of a part group, as SVG text. */
export const drawingOf = (group: string): string | undefined => drawings.get(keyOf(group))

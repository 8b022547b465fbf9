import { VisuallyHidden } from '@mantine/core'
import type { Grid } from './grid.ts'
import { useGridState } from './use-grid.ts'

/** Says what happened in the grid to whoever does not see it. The same words twice are said twice. */
export function LiveWords({ grid }: { grid: Grid }) {
  const { said } = useGridState(grid)
  return (
    <VisuallyHidden role="status">
      <span key={said.count}>{said.text}</span>
    </VisuallyHidden>
  )
}

import { parseArgs } from 'node:util'

/** Measures at each number of rows that `--rows` names; answers whether all targets were met at all of them. */
export async function forEachSize(
  args: string[],
  measure: (rows: number) => Promise<boolean>,
): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: { rows: { type: 'string', default: '10000,100000,1000000' } },
  })
  let areMet = true
  for (const rows of values.rows.split(',').map(Number)) areMet = (await measure(rows)) && areMet
  return areMet
}

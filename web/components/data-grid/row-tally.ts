import { conflictsOf, hasProblems, isChanged, type SheetRow } from './sheet-row.ts'

/** Which rows are changed, wrong or in conflict, counted as they change: over thousands of rows a count would be felt. */
export class RowTally {
  readonly changed = new Set<string>()
  readonly wrong = new Set<string>()
  readonly conflicts = new Set<string>()

  put(row: SheetRow): void {
    count(this.changed, row.id, isChanged(row))
    count(this.wrong, row.id, hasProblems(row))
    count(this.conflicts, row.id, conflictsOf(row).length > 0)
  }

  drop(id: string): void {
    for (const counted of [this.changed, this.wrong, this.conflicts]) counted.delete(id)
  }
}

function count(counted: Set<string>, id: string, belongs: boolean): void {
  if (belongs) counted.add(id)
  else counted.delete(id)
}

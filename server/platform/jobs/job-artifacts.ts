import { sql } from 'kysely'
import type { Db } from '#server/platform/database.ts'
import type { RunKey } from './job-claims.ts'
import { FenceLost } from './job-definition.ts'
import { isInRun } from './run-fence.ts'
import { storable } from './storable-text.ts'

/** Where the files of artifacts lie in the file store; what lies there without a row is swept. */
export const ARTIFACTS = 'artifacts'

export type NewArtifact = { readonly name: string; readonly fileKey: string; readonly bytes: number }

/** Adds a file that is stored already to what the job leaves, and answers the artifact's id. Throws FenceLost. */
export async function insertArtifact(
  db: Db,
  run: RunKey,
  { name, fileKey, bytes }: NewArtifact,
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into job_artifact (job_id, name, file_key, bytes)
    select id, ${storable(name)}, ${fileKey}, ${bytes} from job where ${isInRun(run)} for key share
    returning id`.execute(db)
  const id = rows[0]?.id
  if (id === undefined) throw new FenceLost(run.jobId)
  return id
}

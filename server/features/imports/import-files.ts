import type { StagedReply } from '#contract/imports.ts'

/* How the files of an import are called in answers. */

type Files = StagedReply['files']

/** The staged file, its CSV view, and where the API serves the rows that were not taken. */
export function importFiles(staged: { importId: string; path: string; rejected: number }): Files {
  const { importId, path, rejected } = staged
  return {
    json: path,
    csv: path.replace(/\.json$/, '.csv'),
    ...(rejected > 0 && { rejected: `/api/pro/imports/${importId}/rejected.csv` }),
  }
}

export function stagedReply(staged: {
  importId: string
  path: string
  total: number
  rejected: number
  told: Pick<StagedReply, 'warnings' | 'reading'>
}): StagedReply {
  const { importId, path, total, rejected, told } = staged
  const query = new URLSearchParams({ view: 'preprocess', root: 'ecomm', path })
  return {
    ok: true,
    ...told,
    total,
    rejected,
    files: importFiles(staged),
    stagingRef: `ecomm:${path}`,
    missionControlUrl: `/dashboard/admin/mission-control?${query}`,
    importId,
  }
}

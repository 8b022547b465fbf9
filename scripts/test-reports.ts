import { readFileSync } from 'node:fs'

/* Reads the test runners' reports as counts and names. */

export interface Outcome {
  passed: number
  failures: string[]
  skipped: number
  /** Files with failures, if the step can run single files. */
  failedFiles?: { path: string; passed: number }[]
  /** Passed only on the second try: flaky. */
  retried?: string[]
}

interface VitestReport {
  testResults: {
    name: string
    status: string
    assertionResults: { fullName: string; status: string }[]
  }[]
}

/** Reads a Vitest report; file names are relative to `root`. */
export function readVitest(report: string, root: string): Outcome {
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as VitestReport
  const files = testResults.map((file) => {
    const named = (status: string) =>
      file.assertionResults.filter((test) => test.status === status).map((test) => test.fullName)
    const path = file.name.replace(`${root}/`, '')
    const failed = named('failed')
    // A file that could not be loaded, or whose hooks failed, has no failed test of its own.
    const failures = file.status === 'failed' && failed.length === 0 ? [`${path} (the file itself)`] : failed
    const passed = named('passed').length
    return { path, passed, failures, skipped: file.assertionResults.length - passed - failed.length }
  })
  return {
    passed: files.reduce((sum, { passed }) => sum + passed, 0),
    failures: files.flatMap(({ failures }) => failures),
    skipped: files.reduce((sum, { skipped }) => sum + skipped, 0),
    failedFiles: files.filter(({ failures }) => failures.length > 0),
  }
}

interface PlaywrightSuite {
  suites?: PlaywrightSuite[]
  specs: {
    title: string
    file: string
    tests: {
      status: 'expected' | 'unexpected' | 'flaky' | 'skipped'
      results: { status: string }[]
    }[]
  }[]
}

/** Reads a Playwright report; Playwright retries stories itself. A story that was cut off by the limit of all has failed. */
export function readPlaywright(report: string): Outcome {
  const specsOf = (suite: PlaywrightSuite): PlaywrightSuite['specs'] => [
    ...suite.specs,
    ...(suite.suites ?? []).flatMap(specsOf),
  ]
  const { suites } = JSON.parse(readFileSync(report, 'utf8')) as { suites: PlaywrightSuite[] }
  const runs = suites.flatMap(specsOf).flatMap(({ title, file, tests }) =>
    tests.map(({ status, results }) => ({
      title: `${file}: ${title}`,
      // To Playwright it counts as skipped.
      status: results.some((result) => result.status === 'interrupted') ? 'unexpected' : status,
    })),
  )
  return {
    passed: runs.filter((run) => run.status === 'expected' || run.status === 'flaky').length,
    failures: runs.filter((run) => run.status === 'unexpected').map((run) => run.title),
    skipped: runs.filter((run) => run.status === 'skipped').length,
    retried: runs.filter((run) => run.status === 'flaky').map((run) => run.title),
  }
}

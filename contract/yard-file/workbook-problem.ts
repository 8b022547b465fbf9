/** As many bytes may an uploaded workbook have. */
export const MOST_WORKBOOK_BYTES = 50 * 1024 * 1024
export const MOST_WORKBOOK_ROWS = 200_000
export const MOST_WORKBOOK_COLUMNS = 1_000

/** The workbook cannot be read; the message says why and what to do. */
export class WorkbookProblem extends Error {
  override name = 'WorkbookProblem'
  readonly code: 'VALIDATION_FAILED' | 'WRONG_TYPE' | 'TOO_LARGE'

  constructor(code: WorkbookProblem['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

export const wrongWorkbook = (sentence: string) => new WorkbookProblem('WRONG_TYPE', sentence)
export const largeWorkbook = (sentence: string) => new WorkbookProblem('TOO_LARGE', sentence)

export const damagedWorkbook = (what: string, cause?: unknown) =>
  new WorkbookProblem(
    'VALIDATION_FAILED',
    `The workbook is damaged: ${what}. Open it in your spreadsheet program, save it again and upload that.`,
    { cause },
  )

export const AS_CSV = 'Save it as “CSV UTF-8” and upload that.'

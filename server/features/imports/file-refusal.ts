import { AppError } from '#server/platform/app-error.ts'

/** The refusal of a whole file: one sentence that says what is wrong with it and what to do. */
export const refuseFile = (
  sentence: string,
  code: 'VALIDATION_FAILED' | 'WRONG_TYPE' | 'TOO_LARGE' = 'VALIDATION_FAILED',
): AppError => new AppError(code, sentence, { fields: { file: sentence } })

/** How a spreadsheet's file becomes one that is read here. */
export const SAVE_AS_CSV = 'Open it in your spreadsheet program, save it as “CSV UTF-8” and upload that.'

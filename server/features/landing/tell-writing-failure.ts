import { WritingFailure } from '#server/features/writing/writer.ts'
import { ScriptRefusal } from '#server/platform/scripts/script-program.ts'

/** Does a script's work; troubles of the language model's provider are no defect of ours and are told in a sentence. */
export async function tellWritingFailure<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof WritingFailure ? new ScriptRefusal(error.message, { cause: error }) : error
  }
}

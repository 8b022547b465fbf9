/**
 * A failure that was foreseen and that the person at the terminal can mend: a taken port, a wrong setting, a database
 * of another version. Its message is the sentence they read; the program prints it without a stack and ends with 1.
 */
export class Refusal extends Error {
  override name = 'Refusal'
}

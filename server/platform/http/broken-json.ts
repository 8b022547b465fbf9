/**
 * Stands for a body that is no JSON until somebody reads it: whoever may not call, or asks for what is not theirs, is told
 * that first.
 */
export class BrokenJson {
  readonly reason: Error

  constructor(reason: Error) {
    this.reason = reason
  }
}

/** What somebody is told who changed a version that is not the newest any more. */
export const changedMeanwhile = ({ newest, read }: { newest: number; read: number }): string =>
  `The file was changed by somebody else since you loaded it: it is at version ${newest} now, you have version ${read}. Compare the two versions, then load it again and make your change again.`

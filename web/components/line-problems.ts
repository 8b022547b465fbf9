import { isOneLine, notOneLine } from '#contract/one-line.ts'

/**
 * Takes texts by their labels and gives the contract's sentence, by field (the label in small letters), for each that
 * cannot be shown as a name or title, such as one of invisible characters; undefined where all can. Whether an empty one
 * is missing is not judged here.
 */
export function lineProblems(texts: Record<string, string>): Record<string, string> | undefined {
  const unfit = Object.entries(texts).filter(([, text]) => text.trim() !== '' && !isOneLine(text.trim()))
  if (unfit.length === 0) return undefined
  return Object.fromEntries(unfit.map(([label]) => [label.toLowerCase(), notOneLine(label)]))
}

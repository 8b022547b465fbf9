import { waitingLine } from '#server/platform/waiting-line.ts'

/**
 * Chunks that one process reads at a time: each holds a segment of good rows and one of rejected ones, some megabytes. Those
 * that come meanwhile stand in line.
 */
export const chunksInTurn = waitingLine({ atOnce: 8, waiting: 60 })

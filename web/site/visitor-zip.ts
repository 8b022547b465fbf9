import { readText, writeText } from '#web/api/browser-storage.ts'

/* The visitor's ZIP code, asked for once and kept on the device. */

const KEY = 'zip'

export const readZip = (): string | null => readText(KEY)

export const keepZip = (zip: string): void => void writeText(KEY, zip)

import { PictureProblem } from './shrink-picture.ts'

/** A file that a person chose, dropped or packed into a ZIP. */
export type PickedFile = {
  /** With its folders: `yard/A-1042/front.jpg`. */
  path: string
  /** The same if a file is chosen again, but different for another file of the same name. */
  key: string
  /** Reads the file; one in a ZIP is unpacked only now. */
  open: () => Promise<File>
}

/** Pictures, ZIPs unpacked, and how many other files there were. */
export type PickedPictures = { pictures: PickedFile[]; others: number }

const isPicture = /\.(jpe?g|jfif|png|webp|hei[cf]|avif|gif)$/i
const isZip = /\.zip$/i
/** Files that operating systems add to folders and ZIPs. */
const isClutter = /(^|\/)(\.[^/]*|__MACOSX|Thumbs\.db|desktop\.ini)(\/|$)/i

/** Files of a file input, or of the clipboard. */
export const chosenFiles = (files: Iterable<File>): PickedFile[] =>
  [...files].map((file) => pickedFile(file.webkitRelativePath || file.name, file))

const pickedFile = (path: string, file: File): PickedFile => ({
  path,
  key: `${path} ${file.size} ${file.lastModified}`,
  open: async () => file,
})

/**
 * The dropped files, including those in folders. Call it in the drop event itself: later, the browser no longer gives them.
 */
export function droppedFiles({ items, files }: DataTransfer): Promise<PickedFile[]> {
  const entries = [...items].flatMap((item) => item.webkitGetAsEntry?.() ?? [])
  if (entries.length === 0) return Promise.resolve(chosenFiles(files))
  return filesBelow(entries)
}

async function filesBelow(entries: readonly FileSystemEntry[]): Promise<PickedFile[]> {
  const found: PickedFile[] = []
  for (const entry of entries) {
    if (isFile(entry)) found.push(pickedFile(entry.fullPath.replace(/^\//, ''), await fileOf(entry)))
    else if (isFolder(entry)) found.push(...(await filesBelow(await entriesOf(entry))))
  }
  return found
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory

const fileOf = (entry: FileSystemFileEntry) =>
  new Promise<File>((resolve, reject) => entry.file(resolve, reject))

/** Browsers list a folder in batches (of 100 in Chrome); an empty batch is the end. */
async function entriesOf(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const all: FileSystemEntry[] = []
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject)
    })
    if (part.length === 0) return all
    all.push(...part)
  }
}

/**
 * Keeps the pictures, including those in ZIPs, in the order people expect of numbered names.
 * @throws PictureProblem about a ZIP that cannot be read
 */
export async function picturesAmong(files: readonly PickedFile[]): Promise<PickedPictures> {
  const all: PickedFile[] = []
  for (const file of files) {
    if (isZip.test(file.path)) all.push(...(await zippedFiles(await file.open())))
    else all.push(file)
  }
  const kept = all.filter(({ path }) => !isClutter.test(path))
  const pictures = kept.filter(({ path }) => isPicture.test(path))
  return { pictures: pictures.sort(byPath), others: kept.length - pictures.length }
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' })
const stem = (path: string) => path.replace(/\.\w+$/, '').replaceAll(/[\s_.,-]+/g, ' ')
/** A-1042.jpg, A-1042-2.jpg, A-1042_3.jpg, A-1042-10.jpg. */
const byPath = (a: PickedFile, b: PickedFile) => collator.compare(stem(a.path), stem(b.path))

/** A ZIP may lie about its files' sizes, so reading stops at a size that no picture has. */
const MAX_UNPACKED_BYTES = 64 * 1024 * 1024

async function zippedFiles(zip: File): Promise<PickedFile[]> {
  const { unpack, zipEntries } = await import('#contract/yard-file/workbook/workbook-zip.ts')
  const found: PickedFile[] = []
  try {
    for await (const entry of zipEntries(zip)) {
      if (entry.directory) continue
      if (entry.encrypted) throw new PictureProblem(`“${zip.name}” has a password. Pack it without one.`)
      const { filename, lastModDate, uncompressedSize, signature } = entry
      // A ZIP may be named by stock number, like a folder.
      const path = `${zip.name.replace(isZip, '')}/${filename}`
      const open = async () => {
        const pieces: Uint8Array<ArrayBuffer>[] = []
        let bytes = 0
        for await (const piece of unpack(entry)) {
          bytes += piece.length
          if (bytes > MAX_UNPACKED_BYTES) break
          pieces.push(piece)
        }
        const name = filename.split('/').at(-1) ?? filename
        return new File(pieces, name, { lastModified: lastModDate.getTime() })
      }
      found.push({ path, key: `${path} ${uncompressedSize} ${signature}`, open })
    }
  } catch (cause) {
    if (cause instanceof PictureProblem) throw cause
    throw new PictureProblem(`“${zip.name}” can’t be read. Pack it again as a ZIP.`, { cause })
  }
  return found
}

import { photoBytesMax, photoPixelsMin, photosMax } from '#contract/people/kyc.ts'

/** What is wrong with the file itself. Sending it again would not help. */
export type FileProblem = 'unreadable' | 'tooLarge' | 'tooSmall'

export type Upload =
  | { state: 'sending'; sent: number }
  | { state: 'stored'; photoId: string }
  | { state: 'failed'; message: string }
  | { state: 'wrong'; problem: FileProblem }

/** A selected photo. `preview` is an object URL, or null if the browser cannot draw the file (mostly HEIC). */
export type Photo = {
  id: number
  name: string
  /** The original file, from which every rotation is made. */
  source: File
  quarterTurns: number
  picture: Blob
  preview: string | null
  upload: Upload
}

/** A file above the limit. */
export type LeftOut = { name: string }

/** Returns why a file cannot be sent, or null. */
export function findFileProblem({ size }: { size: number }): FileProblem | null {
  if (size === 0) return 'unreadable'
  return size > photoBytesMax ? 'tooLarge' : null
}

/** Whether the picture is too small for a legible document. */
export const isTooSmall = ({ width, height }: { width: number; height: number }): boolean =>
  Math.max(width, height) < photoPixelsMin.long || Math.min(width, height) < photoPixelsMin.short

/** Invalid files are shown, but are not part of the application. */
export const withoutProblems = (photos: readonly Photo[]): readonly Photo[] =>
  photos.filter(({ upload }) => upload.state !== 'wrong')

export const hasRoom = (photos: readonly Photo[], max: number = photosMax): boolean =>
  withoutProblems(photos).length < max

/** The photos' names in the application; empty until every photo is uploaded. */
export function namesOf(photos: readonly Photo[], prefix: string): string[] {
  const whole = withoutProblems(photos)
  const names = whole.flatMap(({ upload }) => (upload.state === 'stored' ? [prefix + upload.photoId] : []))
  return names.length === whole.length ? names : []
}

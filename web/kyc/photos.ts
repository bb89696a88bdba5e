import { photoBytesMax, photosMax } from '#contract/kyc.ts'

export type Upload =
  | { state: 'sending'; sent: number }
  | { state: 'stored'; photoId: string }
  | { state: 'failed'; message: string }

/** A chosen photo. `preview` is an object URL, or null where the browser cannot draw the file (HEIC, mostly). */
export type Photo = {
  id: number
  name: string
  /** The original file; every rotation is made from it. */
  source: File
  quarterTurns: number
  picture: Blob
  preview: string | null
  upload: Upload
}

export type PhotoProblem = { name: string; problem: 'unreadable' | 'tooLarge' | 'tooMany' }

/** Why a file cannot be added, or null. */
export function fileProblem(
  file: { size: number },
  chosen: number,
  max: number = photosMax,
): PhotoProblem['problem'] | null {
  if (file.size === 0) return 'unreadable'
  if (file.size > photoBytesMax) return 'tooLarge'
  return chosen >= max ? 'tooMany' : null
}

/** The photos' names in the application; empty until every photo is uploaded. */
export function namesOf(photos: readonly Photo[], prefix: string): string[] {
  const names = photos.flatMap(({ upload }) => (upload.state === 'stored' ? [prefix + upload.photoId] : []))
  return names.length === photos.length ? names : []
}

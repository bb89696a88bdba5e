import { MINUTE } from '#contract/platform/durations.ts'

/**
 * Saves a file as a browser download. The object URL is revoked later, because some browsers start the download late.
 */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), MINUTE)
}

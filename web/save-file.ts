import { MINUTE } from '#contract/durations.ts'

/** Hands a file to the browser's downloads. The address lives a while longer: some browsers begin late. */
export function saveFile(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), MINUTE)
}

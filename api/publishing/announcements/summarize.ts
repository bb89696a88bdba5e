import { summarizedFromLength, summaryImagesMax, summaryLength } from '#contract/publishing/announcements.ts'
import { sanitize } from './sanitize.ts'

/**
 * Returns the start of a sanitized post. Up to 1499 characters it is the whole post. Longer ones are cut to 1500; the
 * cut is extended to the end of up to three image tags that it would cut through or that start in the extended range.
 * Cutting can turn text into markup, so the result is sanitized again, which also closes its tags.
 */
export function summarize(content: string): string {
  if (content.length <= summarizedFromLength) return content
  let end = Math.min(summaryLength, content.length)
  let images = 0
  for (const image of content.matchAll(/<img\b[^<>]*>/g)) {
    const imageEnd = image.index + image[0].length
    if (image.index >= end || images === summaryImagesMax) break
    images += 1
    end = Math.max(end, imageEnd)
  }
  return end >= content.length ? content : sanitize(content.slice(0, safeCut(content, end)))
}

/** Avoids cutting between the halves of a surrogate pair. */
function safeCut(text: string, end: number): number {
  const last = text.charCodeAt(end - 1)
  return last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}

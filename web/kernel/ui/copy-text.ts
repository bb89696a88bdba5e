/**
 * Copies a text, and returns whether that worked. Browsers offer the clipboard only to pages of secure origins, so it may
 * be missing.
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

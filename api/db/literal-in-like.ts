/** Escapes text in a `like` pattern, so that wildcards are literal. */
export const literalInLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

/** Text inside a pattern of `like`: what would stand for other characters stands for itself. */
export const literalInLike = (text: string): string => text.replaceAll(/[\\%_]/g, String.raw`\$&`)

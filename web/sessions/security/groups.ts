/** In groups of four, so that it is easy to read and type. */
export const groups = (secret: string): string => (secret.match(/.{1,4}/gu) ?? []).join(' ')

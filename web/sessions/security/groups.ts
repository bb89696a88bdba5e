/** In groups of four, to be read and typed without losing one's place. */
export const groups = (secret: string): string => (secret.match(/.{1,4}/gu) ?? []).join(' ')

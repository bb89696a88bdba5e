import { fileURLToPath } from 'node:url'

const file = (name: string): string => fileURLToPath(new URL(`${name}.ttf`, import.meta.url))

/** For headings; Latin letters alone. */
export const strongFont = file('source-sans-3-latin-strong')

/** Of these, the first that has a character writes it. Made by scripts/make-fonts. */
export const textFonts: readonly string[] = [
  file('source-sans-3-latin'),
  file('source-sans-3-latin-ext'),
  file('source-sans-3-cyrillic'),
  file('source-sans-3-greek'),
  file('source-sans-3-vietnamese'),
  file('noto-sans-sc'),
]

/** The names that the files give themselves. The comma at the end keeps Pango from reading a weight out of the last one. */
export const textFamilies = 'Source Sans 3 ExtraLight,Noto Sans SC Thin,'

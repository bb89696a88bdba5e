type Pair = { light: string; dark: string }

const isPair = (colour: unknown): colour is Pair =>
  typeof colour === 'object' && colour !== null && 'light' in colour && 'dark' in colour

/**
 * Converts `content/colours.json` to custom properties: `textQuiet` becomes `--text-quiet`. A color scheme is a pair of
 * palettes, light and dark. Colors are declared again for every scheme, because custom properties are resolved where
 * they are declared.
 */
export function paletteCss(colours: Record<string, unknown>): string {
  const declarations = Object.entries(colours).flatMap(([name, colour]) =>
    isPair(colour)
      ? [
          `--${name.replaceAll(/[A-Z]/g, (capital) => `-${capital.toLowerCase()}`)}:light-dark(${colour.light},${colour.dark});`,
        ]
      : [],
  )
  return `:root,[data-ground]{${declarations.join('')}}`
}

/** Strokes on a grid of 20 by 20. */
const strokes = {
  bold: 'M6 4h5a3 3 0 0 1 0 6H6zm0 6h6a3 3 0 0 1 0 6H6z',
  italic: 'M9 4h6M5 16h6M12 4 8 16',
  underline: 'M5 4v6a5 5 0 0 0 10 0V4M4 17h12',
  strike: 'M14 6c-.6-1.3-2-2-4-2-2.4 0-4 1.1-4 2.8M3 10h14M6 14c.6 1.3 2 2 4 2 2.4 0 4-1.1 4-2.8',
  code: 'm7 6-4 4 4 4m6-8 4 4-4 4',
  subscript: 'M3 4l8 10M11 4 3 14m11.5 0c2-1.5 3 .5 1.5 2l-1.5 1.5H17',
  superscript: 'M3 6l8 10M11 6 3 16m11.5-12c2-1.5 3 .5 1.5 2L14.5 7.5H17',
  quote: 'M4 14c3-1 4-3 4-7H4v4h3m5 3c3-1 4-3 4-7h-4v4h3',
  codeBlock: 'M3 4h14v12H3zM8 8l-2 2 2 2m4-4 2 2-2 2',
  bullets: 'M8 5h9M8 10h9M8 15h9M3.5 5h.5m-.5 5h.5m-.5 5h.5',
  numbers: 'M8 5h9M8 10h9M8 15h9M3 4l1-.5V7m-1.2 3c1.5-1 2.2.3 1.4 1.3L3 13h2',
  outdent: 'M3 4h14M10 8h7M10 12h7M3 16h14M7 7l-3 3 3 3',
  indent: 'M3 4h14M10 8h7M10 12h7M3 16h14M4 7l3 3-3 3',
  rightToLeft: 'M11 4v9m3-9v9M15 4H9a3 3 0 0 0 0 6h2M16 16H4m2-2-2 2 2 2',
  link: 'm8 12 4-4M9 6l2-2a3.5 3.5 0 0 1 5 5l-2 2m-3 3-2 2a3.5 3.5 0 0 1-5-5l2-2',
  picture: 'M3 4h14v12H3zm0 9 4-4 4 4 2-2 4 4M13 7.5h.5',
  film: 'M3 4h14v12H3zm5.5 3.5v5l4-2.5z',
  clear: 'M5 4h10M10 4 8 12m-4 5 12-12m-3 8 4 4m0-4-4 4',
  undo: 'M7 5 3 9l4 4M3 9h8a4.5 4.5 0 0 1 0 9H8',
  redo: 'm13 5 4 4-4 4m4-4H9a4.5 4.5 0 0 0 0 9h3',
} as const

export type GlyphName = keyof typeof strokes

export const Glyph = ({ name }: { name: GlyphName }) => (
  <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
    <path d={strokes[name]} fill="none" stroke="currentColor" strokeWidth="1.5" strokeLinecap="round" />
  </svg>
)

export type Piece = string | { tag: string; inner: Piece[] }

/** Splits `a <link>b</link> c` at its tags. An unclosed or unopened tag is treated as text. */
export function splitTags(message: string): Piece[] {
  const pieces: Piece[] = []
  let rest = message
  for (;;) {
    const found = /<(\w+)>(.*?)<\/\1>/s.exec(rest)
    if (!found) break
    if (found.index > 0) pieces.push(rest.slice(0, found.index))
    pieces.push({ tag: found[1] ?? '', inner: splitTags(found[2] ?? '') })
    rest = rest.slice(found.index + found[0].length)
  }
  return rest ? [...pieces, rest] : pieces
}

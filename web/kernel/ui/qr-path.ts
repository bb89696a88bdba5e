/**
 * The dark modules of a code as one SVG path of lines with a width of one module, one line per run in a row. Each line
 * starts where the previous one ended, so that even a large code takes few characters.
 */
export function qrPath(rows: readonly (readonly boolean[])[]): string {
  let [x, y] = [0, 0]
  const lines = rows.flatMap((row, below) =>
    runsOf(row).map((run) => {
      const line = `m${run.x - x} ${below - y}h${run.length}`
      x = run.x + run.length
      y = below
      return line
    }),
  )
  return `M0 .5${lines.join('')}`
}

function runsOf(row: readonly boolean[]): { x: number; length: number }[] {
  const runs: { x: number; length: number }[] = []
  row.forEach((isDark, x) => {
    const last = runs.at(-1)
    if (!isDark) return
    if (last && last.x + last.length === x) last.length += 1
    else runs.push({ x, length: 1 })
  })
  return runs
}

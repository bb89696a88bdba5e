/** Returns a minimal PDF with the given number of empty pages. Each `mark` produces a different file. */
export function aPdf({ pages = 1, mark = '', extra = '' } = {}): Buffer {
  const kids = Array.from({ length: pages }, (_, at) => `${at + 3} 0 R`)
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${extra} >>`,
    `<< /Type /Pages /Kids [${kids.join(' ')}] /Count ${pages} >>`,
    ...kids.map(() => '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] >>'),
  ]
  let text = `%PDF-1.7\n% ${mark}\n`
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  text += `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text, 'latin1')
}

export const asPdfUrl = (bytes: Buffer): string => `data:application/pdf;base64,${bytes.toString('base64')}`

/** Called for each response with its status and the number of bytes of headers and body. */
type Answered = (status: number, bytes: number) => void

type State = 'head' | 'body' | 'size' | 'chunk' | 'trailer'

const endOfHead = '\r\n\r\n'

/**
 * Reads the responses of one HTTP connection, one after the other. It only finds where each response ends, because a
 * client that does more would cost as much as the servers that it measures.
 */
export function makeAnswerReader(onAnswer: Answered): (bytes: Buffer) => void {
  let state: State = 'head'
  let status = 0
  let size = 0
  /** Remaining bytes of the body, or of the chunk including its line end. */
  let missing = 0
  let rest: Buffer | undefined

  function finish(): void {
    state = 'head'
    if (status >= 200) onAnswer(status, size)
    size = 0
  }

  function readHead(head: string): void {
    status = Number(head.slice(9, 12))
    const hasNoBody = status < 200 || status === 204 || status === 304
    const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1]
    missing = Number(length ?? 0)
    if (hasNoBody || (length !== undefined && missing === 0)) finish()
    else if (length !== undefined) state = 'body'
    else if (/\r\ntransfer-encoding: *chunked/i.test(head)) state = 'size'
    else throw new Error(`an answer without a length: ${head.split('\r\n')[0]}`)
  }

  function readSize(line: string): void {
    const bytes = Number.parseInt(line, 16)
    if (Number.isNaN(bytes)) throw new Error(`a chunk of size ${line}`)
    missing = bytes + 2
    state = bytes === 0 ? 'trailer' : 'chunk'
  }

  /** Returns the position after the end marker, or undefined if it has not arrived yet. */
  function takeLine(bytes: Buffer, from: number, mark: string): number | undefined {
    const at = bytes.indexOf(mark, from, 'latin1')
    return at < 0 ? undefined : at + mark.length
  }

  return (given) => {
    const bytes = rest ? Buffer.concat([rest, given]) : given
    rest = undefined
    let at = 0
    while (at < bytes.length) {
      if (state === 'body' || state === 'chunk') {
        const taken = Math.min(missing, bytes.length - at)
        at += taken
        size += taken
        missing -= taken
        if (missing > 0) return
        if (state === 'body') finish()
        else state = 'size'
        continue
      }
      const end = takeLine(bytes, at, state === 'head' ? endOfHead : '\r\n')
      if (end === undefined) {
        rest = bytes.subarray(at)
        return
      }
      const line = bytes.toString('latin1', at, end)
      at = end
      size += line.length
      if (state === 'head') readHead(line)
      else if (state === 'size') readSize(line)
      // Trailers are lines, and the last one is empty.
      else if (line === '\r\n') finish()
    }
  }
}

import { NodeFailure } from './node-failure.ts'

/** The body of an answer, which is given up once it is larger than anything that was asked for. */
export async function readBounded(answer: Response, bytesMax: number): Promise<string> {
  if (Number(answer.headers.get('content-length') ?? 0) > bytesMax) throw new NodeFailure('too_large')
  const pieces: Uint8Array[] = []
  let bytes = 0
  for await (const piece of answer.body ?? []) {
    bytes += piece.length
    if (bytes > bytesMax) throw new NodeFailure('too_large')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString('utf8')
}

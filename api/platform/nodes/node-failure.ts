import type { ChainError } from '#contract/money/chain-payments.ts'

/**
 * Why a node could not be queried, as one of a fixed list: the message contains neither its response nor its address.
 */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure'
  readonly reason: ChainError

  constructor(reason: ChainError) {
    super(reason)
    this.reason = reason
  }
}

/** The node understood the request but rejected it, with the number of its error. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal'
  readonly code: number

  constructor(code: number) {
    super(String(code))
    this.code = code
  }
}

import type { ChainError } from '#contract/chain-payments.ts'

/** Why a node could not be asked, as one of a list: what it answered, and where it is, is in no message. */
export class NodeFailure extends Error {
  override readonly name = 'NodeFailure'
  readonly reason: ChainError

  constructor(reason: ChainError) {
    super(reason)
    this.reason = reason
  }
}

/** The node understood, and answered that it cannot: by the number of its error. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal'
  readonly code: number

  constructor(code: number) {
    super(String(code))
    this.code = code
  }
}

/** An output of a transaction, regardless of its recipient. */
export type Moved = {
  txId: string
  output: number
  /** Recipient address in the chain's own encoding. */
  target: string
  /** Amount in units of 10^-18 of the coin. */
  amount: bigint
}

export type Block = { height: number; hash: string; parent: string; at: Date; moved: Moved[] }
/** `at` is when the block was created; for Bitcoin, the earliest possible time. */
export type Tip = { height: number; hash: string; at: Date; isSynced: boolean }

/** A node that is read block by block. Its data is only validated by format; the node is trusted to be honest. */
export type BlockSource = {
  /** Returns the tip of its best chain; throws if the node is on another network. */
  tip(): Promise<Tip>
  /** Undefined if its best chain is shorter. */
  blockAt(height: number): Promise<Block | undefined>
  /**
   * Passes new mempool transactions on in parts; those already read are not read again. Returns whether all were read;
   * if there are many, the rest follow in later calls.
   */
  readPool(keep: (moved: readonly Moved[]) => Promise<void>): Promise<boolean>
  /**
   * Returns which of the transactions are neither in the mempool nor, as far as the node knows, in a block. Call this
   * after `readPool`.
   */
  listGone(txIds: readonly string[]): Promise<string[]>
  /** Returns the transfers that really happened, because a transaction in a block may have failed. */
  confirm(moved: readonly Moved[], blockHash: string): Promise<Moved[]>
}

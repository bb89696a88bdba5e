/** What an output of a transaction brought, wherever it went. */
export type Moved = {
  txId: string
  output: number
  /** As the chain names whom it went to. */
  target: string
  /** In 10^-18 of the coin. */
  amount: bigint
}

export type Block = { height: number; hash: string; parent: string; at: Date; moved: Moved[] }
/** `at` is when it was made; of Bitcoin's at the earliest. */
export type Tip = { height: number; hash: string; at: Date; isSynced: boolean }

/** A node that is read block by block. It is asked what is true, and believed no more than its form. */
export type BlockSource = {
  /** The end of its best chain; throws where it is on another network. */
  tip(): Promise<Tip>
  /** Undefined where its best chain does not reach so far. */
  blockAt(height: number): Promise<Block | undefined>
  /**
   * Hands over what is new in the pool, in parts: what was kept is not read again. Answers whether all of it was read; if it is
   * much, the rest comes at the next calls.
   */
  readPool(keep: (moved: readonly Moved[]) => Promise<void>): Promise<boolean>
  /** Which of the transactions are neither in the pool nor, as far as it says, in a block. After `readPool`. */
  listGone(txIds: readonly string[]): Promise<string[]>
  /** What of that was really moved: a transaction in a block may have failed. */
  confirm(moved: readonly Moved[], blockHash: string): Promise<Moved[]>
}

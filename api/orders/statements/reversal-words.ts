/** Words for the status or direction of a returned payment, in lower case and without punctuation. */
const reversals = new Set([
  'bounced',
  'charge back',
  'chargeback',
  'charged back',
  'chargedback',
  'partially refunded',
  'recall',
  'recalled',
  'refund',
  'refunded',
  'return',
  'returned',
  'reversal',
  'reversed',
  'reverted',
  'erstattet',
  'erstattung',
  'retoure',
  'rückbuchung',
  'rückgabe',
  'rückgebucht',
  'rücklastschrift',
  'rücküberweisung',
  'rückzahlung',
  'storniert',
  'storno',
  'zurückgebucht',
  'zurückgegeben',
  'zurücküberwiesen',
  '冲正',
  '已冲正',
  '已退回',
  '已退款',
  '已退汇',
  '撤销',
  '已撤销',
  '退回',
  '退款',
  '退款成功',
  '退汇',
  '退票',
  '部分退款',
])

/** Returns a word as it is written in the sets of words: without case, and without punctuation at its end. */
export const plainWord = (word: string): string =>
  word
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .replaceAll(/[.!。]+$/g, '')
    .trim()

export const isReversalWord = (word: string): boolean => reversals.has(plainWord(word))

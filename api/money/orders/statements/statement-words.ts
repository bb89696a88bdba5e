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

/** Words that banks and exchanges use for a booked payment, in lower case and without punctuation. */
const completed = new Set([
  'book',
  'booked',
  'complete',
  'completed',
  'credited',
  'deposit complete',
  'deposit completed',
  'deposit success',
  'deposit successful',
  'done',
  'posted',
  'settled',
  'succeeded',
  'success',
  'successful',
  'transaction complete',
  'transaction completed',
  'abgeschlossen',
  'ausgeführt',
  'erfolgreich',
  'gebucht',
  'gutgeschrieben',
  'umsatz gebucht',
  'verbucht',
  '充值成功',
  '充值完成',
  '到账成功',
  '已完成',
  '已入账',
  '已到账',
  '已记账',
  '成功',
  '交易完成',
  '交易成功',
  '入账成功',
  '完成',
  '支付成功',
])

/** Other common words, used to recognize the status column. */
const others = new Set([
  'canceled',
  'cancelled',
  'declined',
  'expired',
  'failed',
  'pending',
  'processing',
  'rejected',
  'abgelehnt',
  'fehlgeschlagen',
  'offen',
  'umsatz vorgemerkt',
  'vorgemerkt',
  '处理中',
  '失败',
  '已关闭',
  '已取消',
  '已拒绝',
  '待处理',
  '待入账',
  '待确认',
  '确认中',
])

/** Whether the word means that the payment was booked. Unknown words don't count. */
export const isCompleted = (word: string): boolean => completed.has(plainWord(word))

export const isStatusWord = (word: string): boolean =>
  isCompleted(word) || isReversalWord(word) || others.has(plainWord(word))

/* Words that banks and exchanges use for incoming and outgoing payments. */

const debits =
  /^(?:d|dr|dbit|debit|s|soll|belastung|lastschrift|out|outgoing|withdrawal|withdraw|send|sent|af|débit|sortie|cargo|débito|debito|addebito|uscita|支出|借|提现|付款|转出|出账)$/i
const credits =
  /^(?:c|cr|crdt|credit|h|haben|gutschrift|in|incoming|deposit|receive|received|bij|crédit|entrée|abono|crédito|credito|accredito|entrata|收入|贷|充值|收款|转入|入账)$/i

export const isDebitWord = (text: string): boolean => debits.test(text)
export const isCreditWord = (text: string): boolean => credits.test(text)

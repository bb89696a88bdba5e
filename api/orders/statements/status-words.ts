import { isReversalWord, plainWord } from './reversal-words.ts'

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

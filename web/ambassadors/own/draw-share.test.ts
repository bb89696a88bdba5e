import { expect, test } from 'vitest'
import { drawShare, linesOf, planShare } from './draw-share.ts'

test('breaks lines between words, and in Chinese between characters but never before punctuation', () => {
  expect(linesOf('Scan to sign up with my invitation', 20)).toEqual(['Scan to sign up with', 'my invitation'])
  expect(linesOf('扫码，通过我的邀请注册', 9)).toEqual(['扫码，通过我的邀请', '注册'])
  expect(linesOf('一二三四五，六', 5)).toEqual(['一二三四五，', '六'])
})

test('text in the picture stays text, whatever it contains', () => {
  const qr = { data: [[true]], size: 1 }
  const svg = drawShare(
    planShare({ language: 'en', qr, headline: '<b>&', text: '', code: '', host: 'coin.example' }),
  )
  expect(svg).toContain('&lt;b&gt;&amp;')
  expect(svg).toContain('coin.example')
})

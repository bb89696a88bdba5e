import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { describeSignIn, isQuiet } from '../startup-message.ts'

const demo = { adminEmails: new Set<string>(), isDemo: true, isLocal: true, isProduction: false }

test('lists sample accounts as an aligned table', () => {
  const samples = [
    { title: 'admin', email: 'admin@coin.example', password: 'a-password', access: 'everything' },
    { title: 'finance 2', email: 'finance2@coin.example', password: 'b', access: 'process orders' },
  ]
  expect(describeSignIn(demo, samples)).toEqual([
    'Sign in with a sample account. The passwords are shown only this once.',
    '',
    '  Account    Email                  Password    Access',
    '  admin      admin@coin.example     a-password  everything',
    '  finance 2  finance2@coin.example  b           process orders',
    '',
    'To stop, press Ctrl+C.',
  ])
})

test('says how the first administrator signs up where there are no sample accounts', () => {
  expect(describeSignIn({ ...demo, isDemo: false }, [])).toEqual([expect.stringContaining('ADMIN_EMAILS=')])
})

test('says at later starts of a demo where the passwords were shown', () => {
  expect(describeSignIn(demo, [])).toEqual([expect.stringContaining('from the first start')])
})

test('keeps the log for machines: in production, without a terminal, and when LOG_LEVEL asks for it', () => {
  const terminal = { isTTY: true, logLevel: undefined }
  expect(isQuiet({ isProduction: false }, terminal)).toBe(true)
  expect(isQuiet({ isProduction: true }, terminal)).toBe(false)
  expect(isQuiet({ isProduction: false }, { ...terminal, isTTY: false })).toBe(false)
  expect(isQuiet({ isProduction: false }, { ...terminal, logLevel: 'info' })).toBe(false)
})

test('npm reports only errors in this folder, and no EBADENGINE for the Node.js that it runs on itself', () => {
  const { PATH, HOME } = process.env
  // Without the settings of an npm that runs the tests.
  const options = { cwd: join(import.meta.dirname, '..'), env: { PATH, HOME }, encoding: 'utf8' } as const
  expect(execFileSync('npm', ['config', 'get', 'loglevel'], options).trim()).toBe('error')
})

import { expect, test } from 'vitest'
import { readConfig } from '../../../platform/config/config.ts'
import { canConnect, classifyAddress, validateUrl } from './validate-url.ts'

const live = readConfig({
  PUBLIC_URL: 'https://coin.example',
  DATABASE_URL: 'postgres://db.example/coin',
  NODE_ENV: 'production',
  ENCRYPTION_KEY: 'c9f1a2b37d04e58896ab31d2f07c6e155a9b8c7d0e1f2a334b5c6d7e8f901122',
  WEBHOOK_PRIVATE_HOSTS: 'ledger.internal, 10.1.2.3',
})
const judge = (text: string) => validateUrl(live, new URL(text))

test.each([
  ['127.0.0.1', 'loopback'],
  ['127.255.255.254', 'loopback'],
  ['::1', 'loopback'],
  ['10.0.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.1.1', 'private'],
  ['100.64.0.1', 'private'],
  ['fc00::1', 'private'],
  ['fdff:ffff::1', 'private'],
  ['0.0.0.0', 'never'],
  ['0.1.2.3', 'never'],
  ['169.254.169.254', 'never'],
  ['169.254.0.1', 'never'],
  ['100.100.100.200', 'never'],
  ['168.63.129.16', 'never'],
  ['192.0.0.192', 'never'],
  ['192.0.2.1', 'never'],
  ['198.18.0.1', 'never'],
  ['198.51.100.7', 'never'],
  ['203.0.113.9', 'never'],
  ['224.0.0.1', 'never'],
  ['239.255.255.250', 'never'],
  ['240.0.0.1', 'never'],
  ['255.255.255.255', 'never'],
  ['::', 'never'],
  ['::127.0.0.1', 'never'],
  ['::ffff:127.0.0.1', 'never'],
  ['::ffff:7f00:1', 'never'],
  ['::ffff:169.254.169.254', 'never'],
  ['::ffff:8.8.8.8', 'never'],
  ['::ffff:0:127.0.0.1', 'never'],
  ['64:ff9b::7f00:1', 'never'],
  ['64:ff9b::10.0.0.1', 'never'],
  ['64:ff9b:1::1', 'never'],
  ['100::1', 'never'],
  ['2001::1', 'never'],
  ['2001:db8::1', 'never'],
  ['2002:7f00:1::', 'never'],
  ['2002:a00:1::1', 'never'],
  ['3fff::1', 'never'],
  ['fd00:ec2::254', 'never'],
  ['fd20:ce::254', 'never'],
  ['fe80::1', 'never'],
  ['fe80::1%eth0', 'never'],
  ['fec0::1', 'never'],
  ['ff02::1', 'never'],
  ['5f00::1', 'never'],
  ['2606:4700::5efe:10.0.0.1', 'never'],
  ['not an address', 'never'],
  ['8.8.8.8', 'public'],
  ['11.0.0.1', 'public'],
  ['172.32.0.1', 'public'],
  ['100.128.0.1', 'public'],
  ['223.255.255.255', 'public'],
  ['2606:4700:4700::1111', 'public'],
  ['2a00:1450:4001:80b::200e', 'public'],
] as const)('%s is %s', (address, kind) => {
  expect(classifyAddress(address)).toBe(kind)
})

test.each([
  ['http://hooks.example.com/', 'https'],
  ['https://user:pass@hooks.example.com/', 'invalid'],
  ['https://127.0.0.1/', 'private'],
  ['https://2130706433/', 'private'],
  ['https://0x7f.1/', 'private'],
  ['https://0177.0.0.1/', 'private'],
  ['https://127.1/', 'private'],
  ['https://①②⑦.⓪.⓪.①/', 'private'],
  ['https://[::1]/', 'private'],
  ['https://[::ffff:127.0.0.1]/', 'private'],
  ['https://[::]/', 'private'],
  ['https://0/', 'private'],
  ['https://169.254.169.254/latest/meta-data/', 'private'],
  ['https://[64:ff9b::a9fe:a9fe]/', 'private'],
  ['https://localhost/', 'private'],
  ['https://LOCALHOST./', 'private'],
  ['https://ocalhost.localhost/', 'private'],
  ['https://db/', 'private'],
  ['https://printer.local/', 'private'],
  ['https://metadata.google.internal/', 'private'],
  ['https://10.1.2.4/', 'private'],
  ['https://coin.example/v2/hook', 'own_site'],
  ['https://coin.example:8443/', 'own_site'],
  ['https://COIN.example./', 'own_site'],
  ['https://hooks.example.com:22/', 'port'],
  ['https://hooks.example.com:25/', 'port'],
  ['https://hooks.example.com:80/', 'port'],
  ['https://hooks.example.com:6379/', 'port'],
  ['https://hooks.example.com:5432/', 'port'],
] as const)('%s is refused: %s', (url, problem) => {
  expect(judge(url)).toBe(problem)
})

test.each([
  'https://hooks.example.com/in',
  'https://hooks.example.com:8443/in?key=1',
  'https://93.184.216.34/',
  'https://ledger.internal:444/',
  'https://10.1.2.3/',
])('%s may be called', (url) => expect(judge(url)).toBeUndefined())

test('checks the resolved address separately from the name', () => {
  expect(canConnect(live, 'hooks.example.com', '93.184.216.34')).toBe(true)
  expect(canConnect(live, 'hooks.example.com', '10.1.2.3')).toBe(false)
  expect(canConnect(live, 'hooks.example.com', '127.0.0.1')).toBe(false)
  expect(canConnect(live, 'ledger.internal', '10.1.2.3')).toBe(true)
  expect(canConnect(live, 'ledger.internal', '127.0.0.1')).toBe(true)
  // Cloud metadata is never a valid receiver, whatever its name.
  expect(canConnect(live, 'ledger.internal', '169.254.169.254')).toBe(false)
})

test('allows http only to this machine, in development, and never to the server itself', () => {
  const here = readConfig({ PORT: '3000' })
  expect(validateUrl(here, new URL('http://127.0.0.1:5000/in'))).toBeUndefined()
  expect(validateUrl(here, new URL('http://localhost:5000/in'))).toBeUndefined()
  expect(validateUrl(here, new URL('http://[::1]:5000/in'))).toBeUndefined()
  expect(validateUrl(here, new URL('http://hooks.example.com/in'))).toBe('https')
  expect(validateUrl(here, new URL('http://localhost:3000/v2/'))).toBe('own_site')
  expect(validateUrl(here, new URL('http://127.0.0.1:3000/v2/'))).toBe('own_site')
  expect(canConnect(here, 'localhost', '127.0.0.1')).toBe(true)
  expect(canConnect(here, 'hooks.example.com', '127.0.0.1')).toBe(false)
})

test('rejects invalid names in the own network', () => {
  const withHosts = (text: string) => () => readConfig({ WEBHOOK_PRIVATE_HOSTS: text })
  expect(withHosts('ledger.internal, 10.0.0.5, fd00::5')().webhookPrivateHosts.size).toBe(3)
  for (const text of ['http://ledger', 'ledger:8080', '10.0.0.0/8', '*.internal', '1.2.3', '[::1]'])
    expect(withHosts(text)).toThrow(/^The setting WEBHOOK_PRIVATE_HOSTS must be host names/)
})

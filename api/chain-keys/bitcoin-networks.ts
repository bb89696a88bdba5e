/** What distinguishes the networks of Bitcoin. */
export type BitcoinNetwork = {
  /** Prefix of Bech32 addresses (BIP-173). */
  prefix: string
  publicKeyHash: number
  scriptHash: number
  /** Version bytes of extended public keys: BIP-32, and BIP-84 by SLIP-132. */
  accounts: readonly number[]
  /** Hash of the first block, in the notation of nodes. */
  genesis: string
  /** Name in `getblockchaininfo`. */
  chain: string
}

const testAccounts = [0x043587cf, 0x045f1cf6]

export const bitcoinNetworks = {
  main: {
    prefix: 'bc',
    publicKeyHash: 0,
    scriptHash: 5,
    accounts: [0x0488b21e, 0x04b24746],
    genesis: '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f',
    chain: 'main',
  },
  test: {
    prefix: 'tb',
    publicKeyHash: 111,
    scriptHash: 196,
    accounts: testAccounts,
    genesis: '000000000933ea01ad0ee984209779baaec3ced90fa3f408719526f8d77f4943',
    chain: 'test',
  },
  signet: {
    prefix: 'tb',
    publicKeyHash: 111,
    scriptHash: 196,
    accounts: testAccounts,
    genesis: '00000008819873e925422c1ff0f99f7cc9bbb232af63a077a480a3633bee1ef6',
    chain: 'signet',
  },
  regtest: {
    prefix: 'bcrt',
    publicKeyHash: 111,
    scriptHash: 196,
    accounts: testAccounts,
    genesis: '0f9188f13cb7b2c71f2a335e3a4fc328bf5beb436012afca590b1a11466e2206',
    chain: 'regtest',
  },
} as const satisfies Record<string, BitcoinNetwork>

type BitcoinNetworkName = keyof typeof bitcoinNetworks
export const bitcoinNetworkNames = Object.keys(bitcoinNetworks) as BitcoinNetworkName[]
export const isBitcoinNetwork = (name: string): name is BitcoinNetworkName => name in bitcoinNetworks

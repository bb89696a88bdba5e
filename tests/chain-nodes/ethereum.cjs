// A development chain of Ethereum at the port that is given.
const ganache = require('ganache')
const server = ganache.server({
  logging: { quiet: true },
  chain: { chainId: 1337 },
  wallet: { deterministic: true, totalAccounts: 20 },
  miner: { blockTime: 100_000 },
})
void server.listen(Number(process.argv[2]), '127.0.0.1').then(() => process.stdout.write('ready\n'))
process.on('disconnect', () => process.exit())
